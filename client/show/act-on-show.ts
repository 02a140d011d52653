import type { ActionFunctionArgs } from "react-router";
import { seeOther } from "../answer-form.ts";
import { apiContext } from "../context.ts";
import { refuseForm } from "../refused-in-form.ts";
import { performAct } from "./perform-act.ts";

/** Handles the forms of the Admin tab when there is no script: performs the act, then shows the page again. */
export async function actOnShow({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    await performAct({ api: context.get(apiContext), slug: params["slug"] ?? "", form });
  } catch (error) {
    return refuseForm(error, {});
  }
  const { pathname, search } = new URL(request.url);
  return seeOther(pathname + search);
}
