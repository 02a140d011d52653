import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import type { EventResult } from "../lists/events.ts";
import { isLargeSettlement, raiseStatementTimeout } from "./large-settlement.ts";
import { queryRow, wholeNumber, queryValue } from "./query.ts";

export type SettleEvent = {
  eventId: number;
  result: EventResult;
  /** Null for the system (a timer). */
  actorId: number | null;
  /** Calls placed at or after it are refunded. */
  effectiveAt?: Date | null;
  /** Required for the correction of an earlier settlement of the round. */
  reason?: string | null;
};

const preview = v.object({
  callsWon: wholeNumber,
  callsLost: wholeNumber,
  callsRefunded: wholeNumber,
  /** The number of players whose calls gain in sum, and of those whose calls lose in sum. */
  winners: wholeNumber,
  losers: wholeNumber,
  /** The payouts of the winning calls, wagers included. */
  paidOutCents: wholeNumber,
  refundedCents: wholeNumber,
  /** The largest gain of one player; 0 if no player gains. */
  largestWinCents: wholeNumber,
  /** Of a correction: what the result in force has paid and this one does not, and the part that its players do not have any more. */
  takenBackCents: wholeNumber,
  owedCents: wholeNumber,
});

/**
 * Decides what the closed calls of the event's round are paid, or corrects an earlier settlement of it. It pays nothing:
 * `paySettlementPart` does, in transactions of its own. A result is settled by `resolve_events`, this is for a reset. The caller must move the event to resolved with this result (or,
 * after a void, to the next round) in the same transaction; it cannot commit otherwise. A request for the result in force
 * changes nothing.
 * @returns the id of the live settlement
 * @throws LedgerRefusal not_found; wrong_state while the event is not closed or calls are still placed;
 *   reason_required for a correction without one
 */
export async function settleEvent(tx: Transaction, settle: SettleEvent): Promise<number> {
  if (await isLargeSettlement(tx, settle.eventId)) await raiseStatementTimeout(tx);
  return queryValue(tx, wholeNumber)`
    SELECT settle_event_calls(${settle.eventId}, ${settle.result}, ${settle.actorId},
      ${settle.effectiveAt ?? null}, ${settle.reason ?? null})`;
}

/** What a result would pay on an event's current round, by the same SQL function that settles. Writes nothing. */
export function previewPayouts(
  db: Queryable,
  { eventId, result, effectiveAt }: { eventId: number; result: EventResult; effectiveAt: Date | null },
): Promise<v.InferOutput<typeof preview>> {
  return queryRow(db, preview)`WITH paid AS MATERIALIZED (
      SELECT c.user_id, c.wager_cents, p.payout_cents, p.outcome
      FROM events e, payouts(e.id, e.round, ${result}::text, ${effectiveAt}::timestamptz) p
        JOIN calls c ON c.id = p.call_id
      WHERE e.id = ${eventId}
    ), net AS (
      SELECT sum(payout_cents - wager_cents) AS cents FROM paid GROUP BY user_id
    ), before AS (
      SELECT c.user_id, sum(l.payout_cents) AS cents
      FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
        JOIN settlement_lines l ON l.settlement_id = s.id JOIN calls c ON c.id = l.call_id
      WHERE e.id = ${eventId} GROUP BY c.user_id
    ), taken AS (
      SELECT b.user_id, greatest(0, b.cents - coalesce(sum(p.payout_cents), 0)) AS cents
      FROM before b LEFT JOIN paid p ON p.user_id = b.user_id GROUP BY b.user_id, b.cents
    )
    SELECT count(*) FILTER (WHERE outcome = 'won') AS "callsWon",
      count(*) FILTER (WHERE outcome = 'lost') AS "callsLost",
      count(*) FILTER (WHERE outcome = 'refunded') AS "callsRefunded",
      coalesce(sum(payout_cents) FILTER (WHERE outcome = 'won'), 0) AS "paidOutCents",
      coalesce(sum(payout_cents) FILTER (WHERE outcome = 'refunded'), 0) AS "refundedCents",
      (SELECT count(*) FROM net WHERE cents > 0) AS winners,
      (SELECT count(*) FROM net WHERE cents < 0) AS losers,
      (SELECT coalesce(greatest(0, max(cents)), 0) FROM net) AS "largestWinCents",
      (SELECT coalesce(sum(cents), 0) FROM taken) AS "takenBackCents",
      (SELECT coalesce(sum(greatest(0, t.cents - greatest(0, a.posted_cents - a.held_cents))), 0)
        FROM taken t JOIN users u ON u.id = t.user_id
          JOIN accounts a ON a.kind = 'wallet' AND a.user_id = coalesce(u.merged_into, u.id)) AS "owedCents"
    FROM paid`;
}
