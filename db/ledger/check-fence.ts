import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { queryRow, queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray, writeTextArray } from "./write-array.ts";

export type Fence = {
  /** For "wallet", `id` is the id of its user. */
  kind: "event" | "session" | "wallet";
  id: number;
  /** The token of the lock. Every new holder of a lock has a higher one. */
  token: number;
};

/**
 * Checks that no newer holder of the same lock has written, and stores this holder's token.
 * @throws LedgerRefusal stale_lock: the lock has expired and another process holds it; take it again or give up
 */
export async function checkFence(tx: Transaction, fence: Fence): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT check_fence(${fence.kind}, ${fence.id}, ${fence.token})`);
}

/**
 * Draws a fencing token for each of these locks, in their order. The caller holds them already: then a later holder of the same lock
 * has a higher token.
 */
export async function drawLockTokens(
  db: Queryable,
  locks: readonly Pick<Fence, "kind" | "id">[],
): Promise<number[]> {
  const rows = await queryRows(
    db,
    v.object({ token: wholeNumber }),
    sql`SELECT draw_lock_tokens(${writeTextArray(locks.map(({ kind }) => kind))}::text[],
      ${writeIntegerArray(locks.map(({ id }) => id))}::bigint[]) AS token`,
  );
  return rows.map(({ token }) => token);
}
