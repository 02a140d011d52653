import { and, eq, not, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { ringMail } from "#src/mail/ring-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { disconnectSignIns, endSignIns } from "./end-sign-ins.ts";

/** So many wrong passwords in a row lock an account. */
export const WRONG_PASSWORDS_MAX = 20;
const LOCKED_FOR_SECONDS = 3_600;

/** In SQL: this user's account is locked now. */
export const isLockedNow = sql<boolean>`(${users.lockedAt} IS NOT NULL
  AND ${users.lockedAt} > clock_timestamp() - make_interval(secs => ${LOCKED_FOR_SECONDS}))`;

/** Nobody's number: counting for an unknown email takes as long as for a known one, and changes nothing. */
const NOBODY = 0;

/**
 * Counts a wrong password, however many come at the same time; the last one that is allowed locks the account, ends its
 * sign-ins and has the mail sent that unlocks it.
 * @param userId null for an email that nobody has.
 * @returns how many more wrong passwords it takes to lock the account; 0 where it is locked.
 */
export async function countWrongPassword(deps: Deps, userId: number | null): Promise<number> {
  const { left, ended, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    // Waiting for the disk would tell a known email from an unknown one.
    await tx.execute(sql`SET LOCAL synchronous_commit = off`);
    const counted = await countUp(tx, userId ?? NOBODY);
    const stillLeft = WRONG_PASSWORDS_MAX - (counted?.failedAttempts ?? WRONG_PASSWORDS_MAX);
    if (counted === null || stillLeft > 0) return { left: stillLeft, ended: [], mailId: null };
    return { left: 0, ...(await lockOut(tx, counted)) };
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await ringMail(deps, mailId);
  return left;
}

type Counted = { id: number; email: string | null; failedAttempts: number };

/** A lock whose hour is over counts from the start again. Null where the account is locked already. */
async function countUp(tx: Transaction, userId: number): Promise<Counted | null> {
  const attempts = sql`CASE WHEN ${users.lockedAt} IS NULL THEN ${users.failedAttempts} + 1 ELSE 1 END`;
  const [counted] = await tx
    .update(users)
    .set({
      failedAttempts: attempts,
      lockedAt: sql`CASE WHEN ${attempts} >= ${WRONG_PASSWORDS_MAX} THEN clock_timestamp() END`,
    })
    .where(and(eq(users.id, userId), not(isLockedNow)))
    .returning({ id: users.id, email: users.email, failedAttempts: users.failedAttempts });
  return counted ?? null;
}

async function lockOut(
  tx: Transaction,
  { id, email }: Counted,
): Promise<{ ended: string[]; mailId: number | null }> {
  const ended = await endSignIns(tx, { userId: id });
  const mailId =
    email === null ? null : await writeMail(tx, { kind: "unlock", recipient: email, userId: id });
  return { ended, mailId };
}
