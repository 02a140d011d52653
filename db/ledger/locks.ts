import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { queryRow, queryRows, wholeNumber, writeIntegerArray, writeTextArray } from "./query.ts";

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
  await queryRow(tx, v.unknown())`SELECT check_fence(${fence.kind}, ${fence.id}, ${fence.token})`;
}

/**
 * Draws a fencing token for each of these locks, in their order. The caller holds them already: then a later holder of the same lock
 * has a higher token.
 */
export async function drawLockTokens(
  db: Queryable,
  locks: readonly Pick<Fence, "kind" | "id">[],
): Promise<number[]> {
  const rows = await queryRows(db, v.object({ token: wholeNumber }))`
    SELECT draw_lock_tokens(${writeTextArray(locks.map(({ kind }) => kind))}::text[],
      ${writeIntegerArray(locks.map(({ id }) => id))}::bigint[]) AS token`;
  return rows.map(({ token }) => token);
}

/**
 * Takes the exclusive gates of events, in ascending order, until the transaction ends. Meanwhile no call of
 * these events is placed or cancelled, and none is half done. Lock the session's row before the gates, the events' rows after.
 */
export async function gateEvent(tx: Transaction, ...eventIds: number[]): Promise<void> {
  await queryRows(tx, v.unknown())`SELECT event_gate(id) FROM (
    SELECT DISTINCT id FROM unnest(${writeIntegerArray(eventIds)}::bigint[]) AS id ORDER BY id
  ) g`;
}

/**
 * Locks the accounts that a grant of play money to this user locks, in the same order, until the transaction ends. A balance
 * that is read after this is still correct when the grant is made.
 */
export async function lockForGrant(tx: Transaction, userId: number): Promise<void> {
  await queryRow(tx, v.unknown())`SELECT lock_for_grant(${userId})`;
}

/**
 * Locks a user's wallet until the transaction ends. No call of the user is placed or ends meanwhile, so what is counted after this
 * is still correct at the commit. Lock the wallet before the user's row: placing a call takes them in this order.
 */
export async function lockWallet(tx: Transaction, userId: number): Promise<void> {
  await queryRow(tx, v.unknown())`SELECT lock_wallet(${userId})`;
}

/** Locks the accounts that merging a guest into an account changes, until the transaction ends. Before the users' rows, too. */
export async function lockForMerge(
  tx: Transaction,
  { guestId, accountId }: { guestId: number; accountId: number },
): Promise<void> {
  await queryRow(tx, v.unknown())`SELECT lock_for_merge(${guestId}, ${accountId})`;
}
