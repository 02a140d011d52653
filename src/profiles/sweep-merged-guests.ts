import { and, isNotNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { mergeWinnings } from "#db/ledger/merge-guest.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";

/**
 * Moves to their accounts what corrections have given to merged guests, or taken from them. A settlement pays the wallet that a call was
 * placed from, and locks no other; so this follows it within seconds.
 */
export async function sweepMergedGuests(deps: Pick<Deps, "pool" | "log" | "notifyRelay">): Promise<void> {
  const { db } = deps.pool;
  const isPaid = sql`EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = ${users.id} AND a.posted_cents <> 0)`;
  const paid = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isNotNull(users.mergedInto), isPaid, notPaused("merged_guest", users.id)));
  const move = async ({ id }: { id: number }) => {
    await inTransaction(db, (tx) => mergeWinnings(tx, id));
  };
  await tryRows(deps, paid, move, { kind: "merged_guest", idOf: ({ id }) => id });
  if (paid.length > 0) deps.notifyRelay();
}
