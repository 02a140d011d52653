import { and, asc, eq, isNull, lt, notExists, sql } from "drizzle-orm";
import { type Database, inTransaction, type Transaction } from "#db/client.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { takeBackPlayMoney } from "#db/ledger/take-back-play-money.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { registrations } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";

/** Nobody comes back later than this: the sign-in of a guest is over by then. */
const UNUSED_DAYS = 30;
const REMOVED_AT_ONCE = 500;

/**
 * Removes guests of 30 days ago who never called anything. What they were granted is taken back by entries of its own, since
 * books are only added to; so the wallet's owner must stay too, as a row without a name, a sign-in or anything else about
 * somebody. A guest whose wallet an admin has corrected is left alone.
 */
export async function removeUnusedGuests({ pool }: Pick<Deps, "pool">): Promise<void> {
  const ofGuest = pool.db
    .select({ one: sql`1` })
    .from(calls)
    .where(eq(calls.userId, users.id));
  const unused = await pool.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.guest, true),
        isNull(users.deactivatedAt),
        lt(users.createdAt, sql`clock_timestamp() - make_interval(days => ${UNUSED_DAYS})`),
        notExists(ofGuest),
      ),
    )
    .orderBy(asc(users.id))
    .limit(REMOVED_AT_ONCE);
  for (const { id } of unused) await removeGuest(pool.db, id);
}

async function removeGuest(db: Database, userId: number): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      // Whoever finishes the account at this moment is either first, and stays, or finds no guest any more.
      if (!(await forgetGuest(tx, userId))) return;
      await takeBackPlayMoney(tx, { userId, reason: "Never used" });
    });
  } catch (error) {
    if (!(error instanceof LedgerRefusal) || error.code !== "wrong_state") throw error;
  }
}

/** @returns false where it is no guest any more. */
async function forgetGuest(tx: Transaction, userId: number): Promise<boolean> {
  const gone = await tx
    .update(users)
    .set({
      username: `gone_${userId}`,
      deactivatedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, userId), eq(users.guest, true), isNull(users.deactivatedAt)))
    .returning({ id: users.id });
  if (gone.length === 0) return false;
  for (const table of [signIns, notifications, registrations]) {
    await tx.delete(table).where(eq(table.userId, userId));
  }
  return true;
}
