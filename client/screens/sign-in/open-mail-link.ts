import { data, type LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { refusedBy } from "#client/ui/forms/refused.ts";

/**
 * What the link has done, or why it was refused, or the secret by which one press does it. All are null where the page was opened
 * without a link.
 */
export type MailLinkResult = { message: string | null; refusal: string | null; secret: string | null };
const NO_LINK: MailLinkResult = { message: null, refusal: null, secret: null };

/** The paths that links in mails open, and the query parameter that holds the link's secret. */
export const secrets = {
  "/users/confirmation": "confirmation_token",
  "/users/unlock": "unlock_token",
} as const;

/** Looks at a link in a mail that confirms an address or unlocks an account. */
export async function openMailLink({ context, request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const secret = isKnown(pathname) ? searchParams.get(secrets[pathname]) : null;
  if (!isKnown(pathname) || secret === null) return data(NO_LINK);
  try {
    const query = { [secrets[pathname]]: secret };
    const { message } = await context.get(apiContext).get(pathname, { query });
    return data<MailLinkResult>({ ...NO_LINK, message, secret: message === null ? secret : null });
  } catch (error) {
    const { refusal, status } = refusedBy(error);
    return data<MailLinkResult>({ ...NO_LINK, refusal }, { status });
  }
}

/** The pages of such links. */
export function isKnown(pathname: string): pathname is keyof typeof secrets {
  return Object.hasOwn(secrets, pathname);
}
