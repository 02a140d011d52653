import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";

const SEE_OTHER = 303;

/** Gives the account of the mail's link the password that the form holds. */
export async function choosePassword({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  try {
    await context.get(apiContext).put("/users/password", {
      user: {
        resetPasswordToken: new URL(request.url).searchParams.get("reset_password_token") ?? "",
        password: textIn(form, "user[password]"),
        passwordConfirmation: textIn(form, "user[password_confirmation]"),
      },
    });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data(refused, { status });
  }
  // A whole new page: whoever was signed in here is no more.
  return redirectDocument("/users/sign_in?now=password_changed", SEE_OTHER);
}
