import { data } from "react-router";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";

const fields = { intent: "text", flagId: "text", note: "text" } as const;

export type BooksRefusal = RefusedForm<typeof fields>;

/** Does what one of the page's forms asks for, then shows the page again. */
export const actOnBooks = formAction(fields, async ({ intent, flagId, note }, { api }) => {
  if (intent === "check") await api.post("/api/v1/books/checks");
  else if (intent === "close_flag")
    await api.put(`/api/v1/payment_flags/${encodeURIComponent(flagId)}/close`, { paymentFlag: { note } });
  else throw data(null, { status: 400 });
  return "/admin/books";
});
