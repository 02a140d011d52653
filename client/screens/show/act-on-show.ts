import type { ActionFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
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
