import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow } from "./query.ts";

/**
 * Locks the accounts that a grant of play money to this user locks, in the same order, until the transaction ends. A balance
 * that is read after this is still correct when the grant is made.
 */
export async function lockForGrant(tx: Transaction, userId: number): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT lock_for_grant(${userId})`);
}

/**
 * Locks a user's wallet until the transaction ends. No call of the user is placed or ends meanwhile, so what is counted after this
 * is still correct at the commit. Lock the wallet before the user's row: placing a call takes them in this order.
 */
export async function lockWallet(tx: Transaction, userId: number): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT lock_wallet(${userId})`);
}

/** Locks the accounts that merging a guest into an account changes, until the transaction ends. Before the users' rows, too. */
export async function lockForMerge(
  tx: Transaction,
  { guestId, accountId }: { guestId: number; accountId: number },
): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT lock_for_merge(${guestId}, ${accountId})`);
}
