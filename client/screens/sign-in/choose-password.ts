import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";

/** Sets the password that the form holds on the account of the mail's link, which signs a signed-out browser in. */
export async function choosePassword({ context, request }: ActionFunctionArgs) {
  const passwords = readForm(
    await request.formData(),
    { password: "text", passwordConfirmation: "text" },
    inUser,
  );
  const resetPasswordToken = new URL(request.url).searchParams.get("reset_password_token") ?? "";
  let next = "/users/sign_in?now=password_changed";
  try {
    const { user } = await context
      .get(apiContext)
      .put("/users/password", { user: { resetPasswordToken, ...passwords } });
    // An admin begins with the shows; a player may be led to the live one from there, and would not read that it is done.
    if (user !== null)
      next = user.roles.includes("admin")
        ? "/sessions?now=password_changed"
        : "/profile/account?done=password";
  } catch (error) {
    return refuseForm(error, {});
  }
  // A new document: a sign-in that this browser had is over.
  return redirectDocument(next, SEE_OTHER);
}
