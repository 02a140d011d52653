import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { safeReturnPath } from "../guard.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What was refused, with what was typed; passwords are typed again. */
export type RegistrationRefusal = Refused & { email: string; username: string };

/** Makes the account that the form asks for, of the guest or from nothing. */
export async function register({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const email = textIn(form, "user[email]");
  const username = textIn(form, "user[username]");
  const password = textIn(form, "user[password]");
  const passwordConfirmation = textIn(form, "user[password_confirmation]");
  try {
    await context
      .get(apiContext)
      .post("/users/guest_registration", { user: { email, username, password, passwordConfirmation } });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<RegistrationRefusal>({ ...refused, email, username }, { status });
  }
  // A whole new page: the token, the viewer and everything loaded belong to somebody else now.
  return redirectDocument(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}
