import { data, type LoaderFunctionArgs } from "react-router";
import { apiContext } from "../context.ts";
import { refusedBy } from "../refused.ts";

/** What came of a link: what it did, or why it did nothing; neither where the page was opened without one. */
export type OpenedLink = { message: string | null; refusal: string | null };

/** Pages that a mail leads to, by their path, and the name of the secret in their query. */
const secrets = {
  "/users/confirmation": "confirmation_token",
  "/users/unlock": "unlock_token",
} as const;

/** Does what the link of a mail is for: confirms an address, unlocks an account. */
export async function openMailLink({ context, request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const secret = isKnown(pathname) ? searchParams.get(secrets[pathname]) : null;
  if (!isKnown(pathname) || secret === null) return data<OpenedLink>({ message: null, refusal: null });
  try {
    const query = { [secrets[pathname]]: secret };
    const { message } = await context.get(apiContext).get(pathname, { query });
    return data<OpenedLink>({ message, refusal: null });
  } catch (error) {
    const { refusal, status } = refusedBy(error);
    return data<OpenedLink>({ message: null, refusal }, { status });
  }
}

function isKnown(pathname: string): pathname is keyof typeof secrets {
  return Object.hasOwn(secrets, pathname);
}
