import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { checkOwnPassword } from "#src/people/sign-ins/lock-account.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import type { EmailChange } from "./schemas.ts";
import { revokeTokens } from "./tokens.ts";

/**
 * Requests another email address. It changes only when the link in the mail to the new address is opened; the old address
 * is notified at once. A new request replaces an earlier one.
 * @returns the message for the user.
 * Refuses a wrong current password, and an address that is taken: 422.
 */
export async function askForEmailChange(
  deps: Deps,
  {
    viewer,
    signInId,
    form: { email, currentPassword },
  }: { viewer: Viewer; signInId: string | null; form: EmailChange },
): Promise<string> {
  await checkOwnPassword(deps, { userId: viewer.id, signInId }, currentPassword);
  const taken = await deps.pool.db.$count(users, eq(users.email, email));
  if (taken > 0) throw invalid({ email: ["has already been taken"] });
  const mailIds = await inTransaction(deps.pool.db, async (tx) => {
    await revokeTokens(tx, viewer.id, ["change_email"]);
    const toNew = await writeMail(tx, { kind: "change_email", recipient: email, userId: viewer.id });
    if (viewer.email === null) return [toNew];
    const old = { kind: "email_change_asked", recipient: viewer.email, userId: viewer.id } as const;
    return [toNew, await writeMail(tx, old)];
  });
  for (const mailId of mailIds) await enqueueMail(deps, mailId);
  return `Open the link in the mail to ${email}. Until then your old address stays.`;
}
