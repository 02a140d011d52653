import { and, eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { ringMail } from "#src/mail/ring-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { tokenInvalid } from "#src/sign-ins/refusal.ts";
import { revokeTokens } from "./forget-tokens.ts";
import { asTaken } from "./refuse-taken.ts";
import { findToken, useToken } from "./use-token.ts";

const kinds = ["confirm_email", "change_email"] as const;
const CONFIRMED = "Your email address is confirmed.";

type Token = { userId: number; email: string };

/**
 * Confirms an address by the link of a mail: that of a new account, or the new one of an old account, which takes it over at
 * this moment. A link that was opened before, by a mail scanner perhaps, says the same again and does nothing.
 * @returns the sentence for whoever opened it.
 * Refuses a link that does not work, and an address that somebody else took meanwhile: 422.
 */
export async function confirmEmail(deps: Deps, secret: string): Promise<string> {
  const mailId = await inTransaction(deps.pool.db, async (tx) => {
    const token = await useToken(tx, deps.env, { secret, kinds });
    if (token?.kind === "change_email") return changeEmail(tx, token);
    if (token !== null) await confirm(tx, token);
    else if ((await findToken(tx, deps.env, { secret, kinds })) === null)
      throw tokenInvalid("confirmationToken");
    return null;
  }).catch((error: unknown) => {
    throw asTaken(error);
  });
  if (mailId !== null) await ringMail(deps, mailId);
  return CONFIRMED;
}

async function confirm(tx: Transaction, { userId, email }: Token): Promise<void> {
  const confirmed = await tx
    .update(users)
    .set({ confirmedAt: sql`coalesce(${users.confirmedAt}, clock_timestamp())` })
    .where(and(eq(users.id, userId), eq(users.email, email)))
    .returning({ id: users.id });
  if (confirmed.length === 0) throw tokenInvalid("confirmationToken");
}

/** Links that were mailed to the old address open nothing from here on; it is told that it is not used any more. */
async function changeEmail(tx: Transaction, { userId, email }: Token): Promise<number | null> {
  const [user] = await tx
    .select({ oldEmail: users.email, deactivatedAt: users.deactivatedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  if (user === undefined || user.deactivatedAt !== null) throw tokenInvalid("confirmationToken");
  await tx
    .update(users)
    .set({ email, confirmedAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .where(eq(users.id, userId));
  await revokeTokens(tx, userId, ["reset_password", "unlock", "confirm_email"]);
  if (user.oldEmail === null || user.oldEmail === email) return null;
  return writeMail(tx, { kind: "email_changed", recipient: user.oldEmail, userId });
}
