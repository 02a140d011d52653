import { data, type LoaderFunctionArgs } from "react-router";
import type { MessageAnswer } from "#src/users/contract.ts";
import { apiContext } from "../context.ts";
import { refusedBy } from "../refused.ts";

/** What came of a link: what it did, or why it did nothing; neither where the page was opened without one. */
export type OpenedLink = { message: string | null; refusal: string | null };

/** Pages that a mail leads to, by their path, and the name of the secret in their query. */
const secrets: Record<string, string> = {
  "/users/confirmation": "confirmation_token",
  "/users/unlock": "unlock_token",
};

/** Does what the link of a mail is for: confirms an address, unlocks an account. */
export async function openMailLink({ context, request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url);
  const name = secrets[pathname];
  const secret = name === undefined ? null : searchParams.get(name);
  if (name === undefined || secret === null) return data<OpenedLink>({ message: null, refusal: null });
  try {
    const { message } = await context
      .get(apiContext)
      .get<MessageAnswer>(pathname, { query: { [name]: secret } });
    return data<OpenedLink>({ message, refusal: null });
  } catch (error) {
    const { refusal, status } = refusedBy(error);
    return data<OpenedLink>({ message: null, refusal }, { status });
  }
}
