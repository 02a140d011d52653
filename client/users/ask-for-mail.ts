import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

/** What came of asking: the sentence that is the same for every address, or what is wrong with what was typed. */
export type AskedForMail = { message: string } | (Refused & { email: string });

/** The pages that have such a form; what it is sent to has the same address. */
const paths = ["/users/password", "/users/confirmation", "/users/unlock"] as const;

/** Asks for the mail of the page that the form stands on: a new password, a confirmation, an unlocking. */
export async function askForMail({ context, request }: ActionFunctionArgs) {
  const email = textIn(await request.formData(), "user[email]");
  try {
    const path = paths.find((known) => known === new URL(request.url).pathname);
    if (path === undefined) throw data(null, { status: 404 });
    return await context.get(apiContext).post(path, { user: { email } });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data({ ...refused, email }, { status });
  }
}
