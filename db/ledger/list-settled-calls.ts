import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { sides } from "../lists/spots.ts";
import { queryFirst, queryRows, queryValue, wholeNumber } from "./query.ts";

/** A call and what its settlement has paid. */
const settledCall = v.object({
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
 * An event: all calls of its round, by the settlement in force. Or a settlement, which may have been replaced: the calls that it has
 * decided.
 */
export type Settled = { eventId: number } | { settlementId: number };

/** In SQL: the calls `c` with their spots `p`, the settlement `s`, and what it paid. A settlement that was replaced has decided it. */
function callsOf(settled: Settled): { id: SQL; from: SQL; where: SQL; paid: SQL } {
  const booked = sql`c.wager_cents + coalesce((SELECT sum(amount_cents) FROM entries WHERE call_id = c.id), 0)`;
  if ("eventId" in settled) {
    const from = sql`events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
        JOIN calls c ON c.event_id = e.id AND c.round = e.round JOIN spots p ON p.id = c.spot_id`;
    const where = sql`e.id = ${settled.eventId} AND c.state IN ('placed', 'closed', 'resolved')`;
    return { id: sql`c.id`, from, where, paid: booked };
  }
  const from = sql`settlements s JOIN settlement_lines l ON l.settlement_id = s.id
        JOIN calls c ON c.id = l.call_id JOIN spots p ON p.id = c.spot_id`;
  const paid = sql`CASE WHEN s.superseded THEN l.payout_cents ELSE ${booked} END`;
  return { id: sql`l.call_id`, from, where: sql`s.id = ${settled.settlementId}`, paid };
}

/**
 * The next `limit` calls by id, with what each was paid according to the entries. Read all pages in one transaction with one snapshot
 * (repeatable read).
 */
export function listSettledCalls(
  db: Queryable,
  settled: Settled,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<SettledCall[]> {
  const { id, from, where, paid } = callsOf(settled);
  return queryRows(db, settledCall)`
    SELECT c.id AS "callId", c.user_id AS "userId", p.side, c.wager_cents AS "wagerCents",
      (extract(epoch FROM c.placed_at) * 1000000)::bigint AS "placedAtUs", ${paid} AS "paidCents", s.result,
      (extract(epoch FROM s.effective_at) * 1000000)::bigint AS "effectiveAtUs"
    FROM ${from} WHERE ${where} AND ${id} > ${afterId} ORDER BY ${id} LIMIT ${limit}`;
}

/** The number of players of a settlement, paid or not yet paid. */
export function countSettledPlayers(db: Queryable, settlementId: number): Promise<number> {
  return queryValue(db, wholeNumber)`SELECT count(DISTINCT c.user_id)
    FROM settlement_lines l JOIN calls c ON c.id = l.call_id WHERE l.settlement_id = ${settlementId}`;
}

/** The payouts of a settlement without players: calls with the same side, wager and payout are one group. Winners first, then
 * larger wagers first. */
export function listPayoutGroups(
  db: Queryable,
  { settlementId, limit }: { settlementId: number; limit: number },
): Promise<v.InferOutput<typeof payoutGroup>[]> {
  return queryRows(db, payoutGroup)`
    SELECT p.side, l.outcome, c.wager_cents AS "wagerCents", l.payout_cents AS "payoutCents",
      count(*) AS "callsCount", count(*) OVER () AS "groupsCount", sum(count(*)) OVER () AS "totalCount"
    FROM settlement_lines l JOIN calls c ON c.id = l.call_id JOIN spots p ON p.id = c.spot_id
    WHERE l.settlement_id = ${settlementId}
    GROUP BY p.side, l.outcome, c.wager_cents, l.payout_cents
    ORDER BY array_position(ARRAY['won', 'lost', 'refunded'], l.outcome), c.wager_cents DESC, l.payout_cents DESC, p.side
    LIMIT ${limit}`;
}

const stakes = v.object({
  side: v.picklist(sides),
  wagerCents: wholeNumber,
  /** False for calls placed at or after the effective time, and after a void: they are refunded. */
  counts: v.boolean(),
  callsCount: wholeNumber,
});
export type SettledStakes = v.InferOutput<typeof stakes>;

/** The calls, grouped by side, wager and whether they count. */
export function listStakes(db: Queryable, settled: Settled): Promise<SettledStakes[]> {
  const { from, where } = callsOf(settled);
  return queryRows(db, stakes)`SELECT p.side, c.wager_cents AS "wagerCents", count(*) AS "callsCount",
      s.result <> 'void' AND (s.effective_at IS NULL OR c.placed_at < s.effective_at) AS counts
    FROM ${from} WHERE ${where} GROUP BY p.side, c.wager_cents, counts`;
}

const decision = v.object({
  id: wholeNumber,
  eventId: wholeNumber,
  eventTitle: v.string(),
  round: wholeNumber,
  version: wholeNumber,
  result: v.picklist(results),
  effectiveAt: v.nullable(v.date()),
  superseded: v.boolean(),
  callsCount: wholeNumber,
  createdAt: v.date(),
});
/** All settlements of a session's events, in the order of the decisions: also those that were replaced, and those of earlier rounds. */
export function listDecisions(
  db: Queryable,
  { sessionId, limit }: { sessionId: number; limit: number },
): Promise<v.InferOutput<typeof decision>[]> {
  return queryRows(db, decision)`
    SELECT s.id, s.event_id AS "eventId", e.title AS "eventTitle", s.round, s.version, s.result,
      s.effective_at AS "effectiveAt", s.superseded, s.calls_count AS "callsCount", s.created_at AS "createdAt"
    FROM events e JOIN settlements s ON s.event_id = e.id
    WHERE e.session_id = ${sessionId} ORDER BY s.id LIMIT ${limit}`;
}

const decided = v.object({ eventId: wholeNumber, superseded: v.boolean(), callsCount: wholeNumber });

/** The event of a settlement, and whether a later one replaced it; null if there is no such settlement. */
export function findDecision(
  db: Queryable,
  settlementId: number,
): Promise<v.InferOutput<typeof decided> | null> {
  return queryFirst(db, decided)`
    SELECT event_id AS "eventId", superseded, calls_count AS "callsCount" FROM settlements WHERE id = ${settlementId}`;
}
