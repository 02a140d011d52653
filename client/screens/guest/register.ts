import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { randomId } from "#client/base/browser/random-id.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { safeReturnPath } from "#client/base/page/guard.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** The refusal, and what was filled in, except the password. */
export type RegistrationRefusal = Refused & {
  email: string;
  username: string;
  terms: boolean;
  rememberMe: boolean;
};

const fields = {
  email: "text",
  username: "text",
  password: "text",
  // An unticked checkbox is sent too, as an empty text, so that the API refuses it.
  terms: "text",
  rememberMe: "checkbox",
} as const;

/** Creates the account that the form describes: a guest becomes its player, with or without a password; a new visitor gets a new one. */
export async function register({ context, request }: ActionFunctionArgs) {
  const typed = readForm(await request.formData(), fields, inUser);
  const isLater = typed.password === "" && context.get(pageContext).viewer?.guest === true;
  // One that nobody knows, until the user chooses another by mail.
  const password = isLater ? randomId() + randomId() : typed.password;
  // The form shows the password on request, so it asks for it once.
  const user = { ...typed, password, passwordConfirmation: password };
  try {
    await context.get(apiContext).post("/users/guest_registration", { user });
  } catch (error) {
    const { email, username, terms, rememberMe } = user;
    return refuseForm<RegistrationRefusal>(error, { email, username, rememberMe, terms: terms !== "" });
  }
  // A new document: the token, the viewer and all loaded data belong to another user now.
  return redirectDocument(safeReturnPath(new URL(request.url).searchParams.get("return_to")));
}
