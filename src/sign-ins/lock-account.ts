import { and, eq, not, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { enqueueMail } from "#src/mail/enqueue-mail.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { disconnectSignIns, endSignIns } from "./end-sign-ins.ts";

// Decision: wrong passwords are counted in the user's row, by one UPDATE, so that any number of concurrent attempts is counted
// exactly. The warning and the lock reveal that an account exists. An unknown address gets the text and the time of a wrong
// password. Rate limits bound both.

/** The number of wrong passwords in a row that locks an account. */
const WRONG_PASSWORDS_MAX = 20;
const LOCKED_FOR_SECONDS = 3_600;

/** In SQL: this user's account is currently locked. */
export const isLockedNow = sql<boolean>`(${users.lockedAt} IS NOT NULL
  AND ${users.lockedAt} > clock_timestamp() - make_interval(secs => ${LOCKED_FOR_SECONDS}))`;

/** The id of no user. Counting for it takes as long as for a real user, and changes nothing. */
const NO_USER_ID = 0;

/**
 * Counts a wrong password, exactly even with concurrent attempts. The last allowed one locks the account, ends its sign-ins
 * and sends the mail that unlocks it.
 * @param userId null for an unknown email.
 * @returns how many more wrong passwords it takes to lock the account; 0 if it is locked.
 */
export async function countWrongPassword(deps: Deps, userId: number | null): Promise<number> {
  const { left, ended, mailId } = await inTransaction(deps.pool.db, async (tx) => {
    // Waiting for the disk would take longer for a known email than for an unknown one.
    await tx.execute(sql`SET LOCAL synchronous_commit = off`);
    const counted = await incrementAttempts(tx, userId ?? NO_USER_ID);
    const stillLeft = WRONG_PASSWORDS_MAX - (counted?.failedAttempts ?? WRONG_PASSWORDS_MAX);
    if (counted === null || stillLeft > 0) return { left: stillLeft, ended: [], mailId: null };
    return { left: 0, ...(await lockOut(tx, counted)) };
  });
  await disconnectSignIns(deps, ended);
  if (mailId !== null) await enqueueMail(deps, mailId);
  return left;
}

type Counted = { id: number; email: string | null; failedAttempts: number };

/** Counting restarts at 1 after an expired lock. Null if the account is locked already, or for an unknown user. */
async function incrementAttempts(tx: Transaction, userId: number): Promise<Counted | null> {
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
