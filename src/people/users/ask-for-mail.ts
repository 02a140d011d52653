import type { Deps } from "#src/base/deps.ts";
import { enqueueMail } from "#src/mail/enqueue-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";

/** The mails that anyone may request for an address. They are sent only to users who need them. */
export type RequestedMailKind = "reset_password" | "confirm_email" | "unlock";

/**
 * Requests a mail with a link for an address. The user is looked up only when the mail is sent, so known and unknown
 * addresses get the same answer after the same work.
 * @returns the message for the client.
 */
export async function askForMail(
  deps: Deps,
  { kind, email }: { kind: RequestedMailKind; email: string },
): Promise<string> {
  await enqueueMail(deps, await writeMail(deps.pool.db, { kind, recipient: email }));
  return "If this address is in our books and needs it, a mail with a link is on its way.";
}
