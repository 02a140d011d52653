import { and, eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { enqueueMail, writeMail } from "#src/mail/write-mail.ts";
import { tokenInvalid } from "#src/people/sign-ins/refusal.ts";
import { toTakenRefusal } from "./judge-username.ts";
import { keepBreak, resumeBreak } from "./kept-break.ts";
import { findToken, revokeTokens, useToken } from "./tokens.ts";

const kinds = ["confirm_email", "change_email"] as const;
const CONFIRMED = "Your email address is confirmed.";

type Token = { userId: number; email: string };

/**
 * What the link of a mail has done: null if it was not used yet. Changes nothing.
 * Refuses an invalid link: 422.
 */
export async function checkConfirmation({ env, pool }: Deps, secret: string): Promise<string | null> {
  const token = await findToken(pool.db, env, { secret, kinds });
  if (token === null) throw tokenInvalid("confirmationToken");
  return token.usedAt === null ? null : CONFIRMED;
}

/**
 * Confirms an email address by the link of a mail: the address of a new account, or the new address of an existing account,
 * which replaces the old one now. A link that was used before gets the same answer and does nothing.
 * @returns the message for the user.
 * Refuses an invalid link, and an address that another user took meanwhile: 422.
 */
export async function confirmEmail(deps: Deps, secret: string): Promise<string> {
  const mailId = await inTransaction(deps.pool.db, async (tx) => {
    const token = await useToken(tx, deps.env, { secret, kinds });
    if (token?.kind === "change_email") {
      await resumeBreak(tx, token);
      return changeEmail(tx, token);
    }
    if (token !== null) await confirm(tx, token);
    else if ((await findToken(tx, deps.env, { secret, kinds })) === null)
      throw tokenInvalid("confirmationToken");
    return null;
  }).catch((error: unknown) => {
    throw toTakenRefusal(error);
  });
  if (mailId !== null) await enqueueMail(deps, mailId);
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

/** Also revokes links that were mailed to the old address, and notifies it. @returns the id of that mail, if there is one. */
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
  await keepBreak(tx, { userId, email: user.oldEmail });
  return writeMail(tx, { kind: "email_changed", recipient: user.oldEmail, userId });
}
