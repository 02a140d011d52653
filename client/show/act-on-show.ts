import { type ActionFunctionArgs, data, redirect } from "react-router";
import { apiContext } from "../context.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";
import { performAct } from "./perform-act.ts";

const SEE_OTHER = 303;

/** The forms of the Admin tab as they are sent without script: what they ask for is done, and the page comes again. */
export async function actOnShow({ context, params, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    await performAct({ api: context.get(apiContext), slug: params["slug"] ?? "", form });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<Refused>(refused, { status });
  }
  const { pathname, search } = new URL(request.url);
  return redirect(pathname + search, SEE_OTHER);
}
