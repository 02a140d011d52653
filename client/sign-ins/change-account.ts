import { redirect, redirectDocument } from "react-router";
import type { ActionArgs } from "#client/base/page/handle.ts";
import type { Api } from "../base/api/api.ts";
import { endOwnSignIn } from "../base/live/sign-in-visit.ts";
import { SEE_OTHER, seeOther } from "../ui/forms/answer-form.ts";
import { type FormOf, inUser, readForm } from "../ui/forms/read-form.ts";
import { refuseForm } from "../ui/forms/refused-in-form.ts";
import type { Refused } from "../ui/forms/refused.ts";
import { leaveDevice } from "./sign-out.ts";

/** What can be done on the page, by the form's field `intent`. */
export type AccountIntent = "email" | "password" | "end_sign_in" | "end_other_sign_ins" | "close" | "delete";

export type AccountRefusal = Refused & { intent: string; email: string };

const userFields = {
  email: "text",
  currentPassword: "text",
  password: "text",
  passwordConfirmation: "text",
} as const;
type Sent = FormOf<typeof userFields> & { signInId: string };

const changes: Record<AccountIntent, (api: Api, sent: Sent) => Promise<unknown>> = {
  email: (api, { email, currentPassword }) =>
    api.put("/api/v1/users/me/email", { user: { email, currentPassword } }),
  password: (api, { currentPassword, password, passwordConfirmation }) =>
    api.put("/api/v1/users/me/password", { user: { currentPassword, password, passwordConfirmation } }),
  end_sign_in: (api, { signInId }) => api.delete(`/api/v1/users/me/sign_ins/${encodeURIComponent(signInId)}`),
  end_other_sign_ins: (api) => api.delete("/api/v1/users/me/sign_ins"),
  delete: (api, { currentPassword }) => api.put("/api/v1/users/me/delete", { user: { currentPassword } }),
  close: (api, { currentPassword }) => api.put("/api/v1/users/me/deactivate", { user: { currentPassword } }),
};

/** Does what one of the account's forms asks for. A refusal is shown in that form. */
export async function changeAccount({ api, request }: ActionArgs) {
  const form = await request.formData();
  const { intent, signInId } = readForm(form, { intent: "text", signInId: "text" });
  if (!isIntent(intent)) return redirect("/profile/account");
  const user = readForm(form, userFields, inUser);
  const change = () => changes[intent](api, { ...user, signInId });
  const signedOut = endings[intent];
  try {
    await (signedOut === undefined ? change() : endOwnSignIn(change));
  } catch (error) {
    return refuseForm<AccountRefusal>(error, { intent, email: user.email });
  }
  if (signedOut === undefined) return seeOther(`/profile/account?done=${intent}`);
  if (!api.inProcess) await leaveDevice();
  return redirectDocument(`/users/sign_in?now=${signedOut}`, SEE_OTHER);
}

/** What the sign-in page says after a change that signs out. */
const endings: Partial<Record<AccountIntent, string>> = {
  close: "account_closed",
  delete: "account_deleted",
};

function isIntent(intent: string): intent is AccountIntent {
  return Object.hasOwn(changes, intent);
}
