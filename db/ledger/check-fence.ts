import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow } from "./query.ts";

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
