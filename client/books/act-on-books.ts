import { type ActionFunctionArgs, data, redirect } from "react-router";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What was refused, and of which form; of a payment's flag also which, and what was typed. */
export type BooksRefusal = Refused & { intent: string; flagId: string; note: string };

const SEE_OTHER = 303;

type Send = (api: Api, form: FormData) => Promise<unknown>;

/** The forms of the page by their `intent`. */
const forms: Record<string, Send> = {
  check: (api) => api.post("/api/v1/books/checks"),
  close_flag: (api, form) =>
    api.put(`/api/v1/payment_flags/${encodeURIComponent(textIn(form, "flag_id"))}/close`, {
      paymentFlag: { note: textIn(form, "note") },
    }),
};

/** Does what one of the page's forms asks, then shows the page again; a refusal is shown in its place. */
export async function actOnBooks({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = textIn(form, "intent");
  const send = forms[intent];
  if (send === undefined) throw data(null, { status: 400 });
  try {
    await send(context.get(apiContext), form);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    const kept = { flagId: textIn(form, "flag_id"), note: textIn(form, "note") };
    return data<BooksRefusal>({ ...refused, ...kept, intent }, { status });
  }
  return redirect("/admin/books", SEE_OTHER);
}
