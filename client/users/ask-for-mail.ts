import { type ActionFunctionArgs, data } from "react-router";
import type { MessageAnswer } from "#src/users/contract.ts";
import { apiContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { type Refused, refusedInForm } from "../refused.ts";

/** What came of asking: the sentence that is the same for every address, or what is wrong with what was typed. */
export type AskedForMail = { message: string } | (Refused & { email: string });

/** Asks for the mail of the page that the form stands on: a new password, a confirmation, an unlocking. */
export async function askForMail({ context, request }: ActionFunctionArgs) {
  const email = textIn(await request.formData(), "user[email]");
  try {
    const { pathname } = new URL(request.url);
    return await context.get(apiContext).post<MessageAnswer>(pathname, { user: { email } });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data({ ...refused, email }, { status });
  }
}
