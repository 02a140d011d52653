import { type ActionFunctionArgs, data, redirect, redirectDocument } from "react-router";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

const SEE_OTHER = 303;

/** What can be done on the page, by the form's field `intent`. */
export type AccountIntent = "email" | "password" | "end_sign_in" | "end_other_sign_ins" | "close";

/** What was refused, to which form it belongs, and the address that was typed. */
export type AccountRefusal = Refused & { intent: string; email: string };

const changes: Record<AccountIntent, (api: Api, form: FormData) => Promise<unknown>> = {
  email: (api, form) =>
    api.put("/api/v1/users/me/email", {
      user: { email: textIn(form, "user[email]"), ...currentPassword(form) },
    }),
  password: (api, form) =>
    api.put("/api/v1/users/me/password", {
      user: {
        ...currentPassword(form),
        password: textIn(form, "user[password]"),
        passwordConfirmation: textIn(form, "user[password_confirmation]"),
      },
    }),
  end_sign_in: (api, form) =>
    api.delete(`/api/v1/users/me/sign_ins/${encodeURIComponent(textIn(form, "sign_in_id"))}`),
  end_other_sign_ins: (api) => api.delete("/api/v1/users/me/sign_ins"),
  close: (api, form) => api.put("/api/v1/users/me/deactivate", { user: currentPassword(form) }),
};

/** Does what one of the account's forms asks for; a refusal is shown in that form. */
export async function changeAccount({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = textIn(form, "intent");
  if (!isIntent(intent)) return redirect("/profile/account");
  try {
    await changes[intent](context.get(apiContext), form);
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<AccountRefusal>({ ...refused, intent, email: textIn(form, "user[email]") }, { status });
  }
  if (intent === "close") return redirectDocument("/users/sign_in?now=account_closed", SEE_OTHER);
  return redirect(`/profile/account?done=${intent}`, SEE_OTHER);
}

function isIntent(intent: string): intent is AccountIntent {
  return Object.hasOwn(changes, intent);
}

function currentPassword(form: FormData): { currentPassword: string } {
  return { currentPassword: textIn(form, "user[current_password]") };
}
