import { data, type LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { refusedBy } from "#client/ui/forms/refused.ts";

/** What the link did, or why it was refused. Both are null where the page was opened without a link. */
export type MailLinkResult = { message: string | null; refusal: string | null };

/** The paths that links in mails open, and the query parameter that holds the link's secret. */
const secrets = {
  "/users/confirmation": "confirmation_token",
  "/users/unlock": "unlock_token",
} as const;

/** Performs the action of a link in a mail: confirms an address or unlocks an account. */
export async function openMailLink({ context, request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const secret = isKnown(pathname) ? searchParams.get(secrets[pathname]) : null;
  if (!isKnown(pathname) || secret === null) return data<MailLinkResult>({ message: null, refusal: null });
  try {
    const query = { [secrets[pathname]]: secret };
    const { message } = await context.get(apiContext).get(pathname, { query });
    return data<MailLinkResult>({ message, refusal: null });
  } catch (error) {
    const { refusal, status } = refusedBy(error);
    return data<MailLinkResult>({ message: null, refusal }, { status });
  }
}

function isKnown(pathname: string): pathname is keyof typeof secrets {
  return Object.hasOwn(secrets, pathname);
}
