import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { seeOther } from "#client/ui/forms/answer-form.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** The refusal and which form it belongs to; for a payment's flag also its id and the note that was typed. */
export type BooksRefusal = Refused & { intent: string; flagId: string; note: string };

/** Does what one of the page's forms asks for, then shows the page again. A refusal is shown in its form. */
export async function actOnBooks({ context, request }: ActionFunctionArgs) {
  const fields = { intent: "text", flagId: "text", note: "text" } as const;
  const sent = readForm(await request.formData(), fields);
  const { intent, flagId, note } = sent;
  const api = context.get(apiContext);
  try {
    if (intent === "check") await api.post("/api/v1/books/checks");
    else if (intent === "close_flag")
      await api.put(`/api/v1/payment_flags/${encodeURIComponent(flagId)}/close`, { paymentFlag: { note } });
    else throw data(null, { status: 400 });
  } catch (error) {
    return refuseForm<BooksRefusal>(error, sent);
  }
  return seeOther("/admin/books");
}
