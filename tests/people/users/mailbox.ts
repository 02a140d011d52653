import { and, isNull } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { deliverMail } from "#src/mail/deliver-mail.ts";
import { type StoredLetter, listStoredLetters } from "#src/mail/stored-letters.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";

/** Sends all due mails, as the worker does, and returns the letters to an address, the newest first. */
export async function openMailbox(deps: Deps, email: string | null): Promise<StoredLetter[]> {
  const due = await deps.pool.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt)))
    .orderBy(mails.id);
  for (const { id } of due) await deliverMail(deps, id, composeMail);
  return (await listStoredLetters(deps.pool.db)).filter(({ to }) => to === email);
}

/** The path of the link in the newest letter to an address, with its secret. */
export async function linkMailedTo(deps: Deps, email: string | null): Promise<string> {
  const [letter] = await openMailbox(deps, email);
  const url = /https?:\/\/\S+/.exec(letter?.text ?? "")?.[0];
  if (letter === undefined || url === undefined) throw new Error(`there is no mail with a link to ${email}`);
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The secret of a link. */
export function secretIn(path: string): string {
  return [...new URL(path, "http://localhost").searchParams.values()][0] ?? "";
}
