import { type ActionFunctionArgs, data } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { inUser, readForm } from "#client/ui/forms/read-form.ts";
import { refuseForm } from "#client/ui/forms/refused-in-form.ts";
import type { Refused } from "#client/ui/forms/refused.ts";
import { isKnown, secrets } from "./open-mail-link.ts";

type MailRefusal = Refused & { email: string };
/** The answer to a request for a mail: the same sentence for every address, or a refusal. */
export type MailAnswer = { message: string } | MailRefusal;

/** The pages that have such a form. The API has the same paths. */
const paths = ["/users/password", "/users/confirmation", "/users/unlock"] as const;

/**
 * Requests the mail of the form's page: for a new password, a confirmation or an unlock. The button behind a mail's link sends the
 * link's secret instead: it confirms or unlocks.
 */
export async function askForMail({ context, request }: ActionFunctionArgs) {
  const { email, secret } = readForm(await request.formData(), { email: "text", secret: "text" }, inUser);
  const { pathname } = new URL(request.url);
  try {
    if (secret !== "" && isKnown(pathname))
      return await context.get(apiContext).put(pathname, { user: { [secrets[pathname]]: secret } });
    const path = paths.find((known) => known === pathname);
    if (path === undefined) throw data(null, { status: 404 });
    return await context.get(apiContext).post(path, { user: { email } });
  } catch (error) {
    return refuseForm<MailRefusal>(error, { email });
  }
}
