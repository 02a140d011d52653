import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";

/** Sets the password that the form holds on the account of the mail's link. */
export async function choosePassword({ context, request }: ActionFunctionArgs) {
  const passwords = readForm(
    await request.formData(),
    { password: "text", passwordConfirmation: "text" },
    inUser,
  );
  const resetPasswordToken = new URL(request.url).searchParams.get("reset_password_token") ?? "";
  try {
    await context.get(apiContext).put("/users/password", { user: { resetPasswordToken, ...passwords } });
  } catch (error) {
    return refuseForm(error, {});
  }
  // A new document: a sign-in that this browser had is over.
  return redirectDocument("/users/sign_in?now=password_changed", SEE_OTHER);
}
