import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import type { EventResult } from "../lists/events.ts";
import { queryRow, wholeNumber } from "./query.ts";

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
});
export type PayoutsPreview = v.InferOutput<typeof preview>;

type Result = { eventId: number; result: EventResult; effectiveAt: Date | null };

/** What a result would pay on an event's current round, by the same SQL function that settles. Writes nothing. */
export function previewPayouts(
  db: Queryable,
  { eventId, result, effectiveAt }: Result,
): Promise<PayoutsPreview> {
  return queryRow(
    db,
    preview,
    sql`WITH paid AS MATERIALIZED (
        SELECT c.user_id, c.wager_cents, p.payout_cents, p.outcome
        FROM events e, payouts(e.id, e.round, ${result}::text, ${effectiveAt}::timestamptz) p
          JOIN calls c ON c.id = p.call_id
        WHERE e.id = ${eventId}
      ), net AS (
        SELECT sum(payout_cents - wager_cents) AS cents FROM paid GROUP BY user_id
      )
      SELECT count(*) FILTER (WHERE outcome = 'won') AS "callsWon",
        count(*) FILTER (WHERE outcome = 'lost') AS "callsLost",
        count(*) FILTER (WHERE outcome = 'refunded') AS "callsRefunded",
        coalesce(sum(payout_cents) FILTER (WHERE outcome = 'won'), 0) AS "paidOutCents",
        coalesce(sum(payout_cents) FILTER (WHERE outcome = 'refunded'), 0) AS "refundedCents",
        (SELECT count(*) FROM net WHERE cents > 0) AS winners,
        (SELECT count(*) FROM net WHERE cents < 0) AS losers,
        (SELECT coalesce(greatest(0, max(cents)), 0) FROM net) AS "largestWinCents"
      FROM paid`,
  );
}
