import type { Deps } from "#src/base/deps.ts";
import { ringMail } from "#src/mail/ring-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";

/** What anybody may have sent to an address, if it is the address of somebody who needs it. */
export type AskedKind = "reset_password" | "confirm_email" | "unlock";

/**
 * Has a mail with a link sent to an address. Whose it is, is looked for by whoever sends the mail: known and unknown
 * addresses are answered in the same words and after the same work.
 * @returns the sentence for whoever asked.
 */
export async function askForMail(
  deps: Deps,
  { kind, email }: { kind: AskedKind; email: string },
): Promise<string> {
  await ringMail(deps, await writeMail(deps.pool.db, { kind, recipient: email }));
  return "If this address is in our books and needs it, a mail with a link is on its way.";
}
