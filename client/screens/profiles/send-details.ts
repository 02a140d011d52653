import { type ActionFunctionArgs, redirectDocument } from "react-router";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { SEE_OTHER } from "#client/ui/forms/answer-form.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";

/** The refusal, and the typed values. */
export type DetailsRefusal = Refused & { username: string; phone: string };

/** Saves the username and the phone number. A refusal is shown in the form. */
export async function sendDetails({ context, request }: ActionFunctionArgs) {
  const { viewer } = context.get(pageContext);
  const user = readForm(await request.formData(), { username: "text", phone: "text" }, inUser);
  try {
    await context.get(apiContext).patch(`/api/v1/users/${viewer?.id}`, { user });
  } catch (error) {
    return refuseForm<DetailsRefusal>(error, user);
  }
  // A new document: the frame shows the name too.
  return redirectDocument("/profile/details?saved", SEE_OTHER);
}
