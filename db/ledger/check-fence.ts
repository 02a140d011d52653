import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows } from "./query.ts";
import { writeIntegerArray, writeTextArray } from "./write-array.ts";

export type Fence = {
  /** "wallet" goes by the id of its user. */
  kind: "event" | "session" | "wallet";
  id: number;
  /** The token that the lock was given with; tokens only grow. */
  token: number;
};

/**
 * Makes sure that no newer holder of the same locks has written, and remembers this one.
 * @throws LedgerRefusal stale_lock: a lock has run out and somebody else was given it; take it anew or give up
 */
export async function checkFence(tx: Transaction, ...fences: Fence[]): Promise<void> {
  await queryRows(
    tx,
    v.unknown(),
    sql`SELECT check_fence(kind, id, token) FROM unnest(
      ${writeTextArray(fences.map(({ kind }) => kind))}::text[],
      ${writeIntegerArray(fences.map(({ id }) => id))}::bigint[],
      ${writeIntegerArray(fences.map(({ token }) => token))}::bigint[]
    ) AS f(kind, id, token)`,
  );
}
