import { and, asc, eq, isNull, lt, notExists, sql } from "drizzle-orm";
import { type Database, inTransaction, type Transaction } from "#db/client.ts";
import { takeBackPlayMoney } from "#db/ledger/grant-play-money.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { registrations } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import { ago } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";

/** The sign-in of a guest has expired by then, so the guest cannot come back. */
const UNUSED_DAYS = 30;
const BATCH_SIZE_MAX = 500;

/**
 * Removes guests who are older than 30 days and never placed a call. The books are append-only, so their play money is taken
 * back by new entries, and the user's row stays as the owner of the wallet, without a name, sign-ins or other personal data. A
 * guest whose wallet an admin has adjusted is skipped.
 */
export async function removeUnusedGuests({ pool, log }: Pick<Deps, "pool" | "log">): Promise<void> {
  const callsOfGuest = pool.db
    .select({ one: sql`1` })
    .from(calls)
    .where(eq(calls.userId, users.id));
  const unused = await pool.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        sql`${users.guest}`,
        isNull(users.deactivatedAt),
        lt(users.createdAt, ago(UNUSED_DAYS, "days")),
        notExists(callsOfGuest),
        notPaused("unused_guest", users.id),
      ),
    )
    .orderBy(asc(users.createdAt))
    .limit(BATCH_SIZE_MAX);
  await tryRows({ pool, log }, unused, ({ id }) => removeGuest(pool.db, id), {
    kind: "unused_guest",
    idOf: ({ id }) => id,
  });
}

async function removeGuest(db: Database, userId: number): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      // A concurrent registration either comes first, and the user stays, or finds no guest any more.
      if (!(await anonymizeGuest(tx, userId))) return;
      await takeBackPlayMoney(tx, { userId, reason: "Never used" });
      // Last, because the counts of sessions are after the wallets in the order of locks.
      await tx.delete(registrations).where(eq(registrations.userId, userId));
    });
  } catch (error) {
    if (!(error instanceof LedgerRefusal) || error.code !== "wrong_state") throw error;
  }
}

/** @returns false if the user is no longer a guest. */
async function anonymizeGuest(tx: Transaction, userId: number): Promise<boolean> {
  const anonymized = await tx
    .update(users)
    .set({
      username: `gone_${userId}`,
      deactivatedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(users.id, userId), eq(users.guest, true), isNull(users.deactivatedAt)))
    .returning({ id: users.id });
  if (anonymized.length === 0) return false;
  for (const table of [signIns, notifications]) {
    await tx.delete(table).where(eq(table.userId, userId));
  }
  return true;
}
