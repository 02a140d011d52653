import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { callStates, type RefundCause } from "../lists/calls.ts";
import { queryRow, queryRows, wholeNumber, queryFirst } from "./query.ts";

const cancelled = v.object({ callId: wholeNumber, eventId: wholeNumber, wagerCents: wholeNumber });
export type CancelledCall = v.InferOutput<typeof cancelled>;

const destroyed = v.object({
  userId: wholeNumber,
  eventId: wholeNumber,
  round: wholeNumber,
  wagerCents: wholeNumber,
  /** Before it was destroyed: soft_destroyed if it was destroyed earlier, which changes nothing. */
  stateBefore: v.picklist(callStates),
});

const refunded = v.object({ callId: wholeNumber, userId: wholeNumber });

/**
 * Cancels a player's own call and releases its hold. Cancelling it again returns the same result.
 * @returns null, without waiting, while another transaction holds the event. Then nothing has changed.
 * @throws LedgerRefusal not_found (also for another player's call); wrong_state if the event is not open, or the close is less
 *   than 5 s away on the session's clock.
 */
export function cancelCall(
  db: Queryable,
  { userId, callId }: { userId: number; callId: number },
): Promise<CancelledCall | null> {
  return queryFirst(db, cancelled)`WITH gate AS MATERIALIZED (
      SELECT coalesce(try_event_gate_shared(
        (SELECT event_id FROM calls WHERE id = ${callId} AND user_id = ${userId})), TRUE) AS free
    )
    SELECT id AS "callId", event_id AS "eventId", wager_cents AS "wagerCents"
    FROM gate CROSS JOIN LATERAL cancel_call(${userId}, CASE WHEN free THEN ${callId}::bigint END) WHERE free`;
}

/**
 * Destroys a player's placed or closed call by an admin's decision, and releases its hold. Destroying it again changes nothing.
 * @throws LedgerRefusal not_found; wrong_state unless its event is open or closed and has no settlement
 */
export function destroyCall(tx: Transaction, callId: number): Promise<v.InferOutput<typeof destroyed>> {
  return queryRow(tx, destroyed)`
    SELECT user_id AS "userId", event_id AS "eventId", round, wager_cents AS "wagerCents", state AS "stateBefore"
    FROM destroy_call(${callId})`;
}

/**
 * Destroys every active call of an event and releases its hold.
 * @param refund `cause` is stored with each call, so that its player can read why it was refunded.
 * @returns the calls and their players
 */
export function refundActiveCalls(
  tx: Transaction,
  { eventId, cause }: { eventId: number; cause: Exclude<RefundCause, "admin"> },
): Promise<v.InferOutput<typeof refunded>[]> {
  return queryRows(tx, refunded)`
    SELECT call_id AS "callId", user_id AS "userId" FROM refund_active(${eventId}, ${cause})`;
}
