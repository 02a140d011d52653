import { type ActionFunctionArgs, data, redirectDocument } from "react-router";
import { apiContext, pageContext } from "../context.ts";
import { textIn } from "../form-fields.ts";
import { refusedInForm } from "../refused-in-form.ts";
import type { Refused } from "../refused.ts";

const SEE_OTHER = 303;

/** What was refused, with what was typed. */
export type DetailsRefusal = Refused & { username: string; phone: string };

/** Saves the username and the phone number; a refusal is shown in the form. */
export async function sendDetails({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  const form = await request.formData();
  const details = { username: textIn(form, "user[username]"), phone: textIn(form, "user[phone]") };
  try {
    await context.get(apiContext).patch(`/api/v1/users/${viewer?.id}`, { user: details });
  } catch (error) {
    const { status, ...refused } = refusedInForm(error);
    return data<DetailsRefusal>({ ...refused, ...details }, { status });
  }
  // A whole new page: the name stands in its frame too.
  return redirectDocument("/profile/details?saved", SEE_OTHER);
}
