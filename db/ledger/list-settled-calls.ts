import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { sides } from "../lists/spots.ts";
import { queryRow, queryRows, wholeNumber } from "./query.ts";

/** A call and what its settlement has paid. */
export const settledCall = v.object({
  callId: wholeNumber,
  userId: wholeNumber,
  side: v.picklist(sides),
  wagerCents: wholeNumber,
  /** Microseconds since 1970: finer than a Date. */
  placedAtUs: wholeNumber,
  /** The wager plus the sum of all entries of the call. */
  paidCents: wholeNumber,
  /** Of the settlement; the same on every row. */
  result: v.picklist(results),
  effectiveAtUs: v.nullable(wholeNumber),
});
export type SettledCall = v.InferOutput<typeof settledCall>;

const payoutGroup = v.object({
  side: v.picklist(sides),
  outcome: v.picklist(outcomes),
  wagerCents: wholeNumber,
  payoutCents: wholeNumber,
  callsCount: wholeNumber,
  /** The number of all groups, also beyond the limit. */
  groupsCount: wholeNumber,
  totalCount: wholeNumber,
});

/**
 * The next `limit` calls of the live settlement of an event, by id, with what each was paid according to the entries.
 * Read all pages in one transaction with one snapshot (repeatable read).
 */
export function listSettledCalls(
  db: Queryable,
  { eventId, afterId, limit }: { eventId: number; afterId: number; limit: number },
): Promise<SettledCall[]> {
  return queryRows(
    db,
    settledCall,
    sql`SELECT c.id AS "callId", c.user_id AS "userId", p.side, c.wager_cents AS "wagerCents",
        (extract(epoch FROM c.placed_at) * 1000000)::bigint AS "placedAtUs",
        c.wager_cents + coalesce(b.amount, 0) AS "paidCents", s.result,
        (extract(epoch FROM s.effective_at) * 1000000)::bigint AS "effectiveAtUs"
      FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
        JOIN calls c ON c.event_id = e.id AND c.round = e.round JOIN spots p ON p.id = c.spot_id
        LEFT JOIN LATERAL (SELECT sum(amount_cents) AS amount FROM entries WHERE call_id = c.id) b ON true
      WHERE e.id = ${eventId} AND c.state IN ('placed', 'closed', 'resolved') AND c.id > ${afterId}
      ORDER BY c.id LIMIT ${limit}`,
  );
}

/** The number of players of a settlement, paid or not yet paid. */
export async function countSettledPlayers(db: Queryable, settlementId: number): Promise<number> {
  const { playersCount } = await queryRow(
    db,
    v.object({ playersCount: wholeNumber }),
    sql`SELECT count(DISTINCT c.user_id) AS "playersCount"
      FROM settlement_lines l JOIN calls c ON c.id = l.call_id WHERE l.settlement_id = ${settlementId}`,
  );
  return playersCount;
}

type PayoutGroup = v.InferOutput<typeof payoutGroup>;

/** The payouts of a settlement without players: calls with the same side, wager and payout are one group. Winners first, then
 * larger wagers first. */
export function listPayoutGroups(
  db: Queryable,
  { settlementId, limit }: { settlementId: number; limit: number },
): Promise<PayoutGroup[]> {
  return queryRows(
    db,
    payoutGroup,
    sql`SELECT p.side, l.outcome, c.wager_cents AS "wagerCents", l.payout_cents AS "payoutCents",
        count(*) AS "callsCount", count(*) OVER () AS "groupsCount", sum(count(*)) OVER () AS "totalCount"
      FROM settlement_lines l JOIN calls c ON c.id = l.call_id JOIN spots p ON p.id = c.spot_id
      WHERE l.settlement_id = ${settlementId}
      GROUP BY p.side, l.outcome, c.wager_cents, l.payout_cents
      ORDER BY array_position(ARRAY['won', 'lost', 'refunded'], l.outcome), c.wager_cents DESC, l.payout_cents DESC, p.side
      LIMIT ${limit}`,
  );
}
