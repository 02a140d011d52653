import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../../client.ts";
import { results } from "../../lists/events.ts";
import { sides } from "../../lists/spots.ts";
import { type SettledCall, settledCall } from "../list-settled-calls.ts";
import { queryRows, wholeNumber } from "../query.ts";

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
export type Decision = v.InferOutput<typeof decision>;

/** All settlements of a session's events, in the order of the decisions: also those that were replaced, and those of earlier rounds. */
export function listDecisions(
  db: Queryable,
  { sessionId, limit }: { sessionId: number; limit: number },
): Promise<Decision[]> {
  return queryRows(
    db,
    decision,
    sql`SELECT s.id, s.event_id AS "eventId", e.title AS "eventTitle", s.round, s.version, s.result,
        s.effective_at AS "effectiveAt", s.superseded, s.calls_count AS "callsCount", s.created_at AS "createdAt"
      FROM events e JOIN settlements s ON s.event_id = e.id
      WHERE e.session_id = ${sessionId} ORDER BY s.id LIMIT ${limit}`,
  );
}

const decided = v.object({ eventId: wholeNumber, superseded: v.boolean(), callsCount: wholeNumber });

/** The event of a settlement, and whether a later one replaced it; null if there is no such settlement. */
export async function findDecision(
  db: Queryable,
  settlementId: number,
): Promise<v.InferOutput<typeof decided> | null> {
  const [found] = await queryRows(
    db,
    decided,
    sql`SELECT event_id AS "eventId", superseded, calls_count AS "callsCount" FROM settlements WHERE id = ${settlementId}`,
  );
  return found ?? null;
}

/**
 * The next `limit` calls of a settlement, by id. `paidCents`: what the entries have paid; for a settlement that was replaced, what
 * it decided. Read all pages in one transaction with one snapshot (repeatable read).
 */
export function listDecidedCalls(
  db: Queryable,
  { settlementId, afterId, limit }: { settlementId: number; afterId: number; limit: number },
): Promise<SettledCall[]> {
  return queryRows(
    db,
    settledCall,
    sql`SELECT c.id AS "callId", c.user_id AS "userId", p.side, c.wager_cents AS "wagerCents",
        (extract(epoch FROM c.placed_at) * 1000000)::bigint AS "placedAtUs",
        CASE WHEN s.superseded THEN l.payout_cents ELSE c.wager_cents + coalesce(b.amount, 0) END AS "paidCents",
        s.result, (extract(epoch FROM s.effective_at) * 1000000)::bigint AS "effectiveAtUs"
      FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id JOIN calls c ON c.id = l.call_id
        JOIN spots p ON p.id = c.spot_id
        LEFT JOIN LATERAL (SELECT sum(amount_cents) AS amount FROM entries WHERE call_id = c.id) b ON true
      WHERE s.id = ${settlementId} AND l.call_id > ${afterId}
      ORDER BY l.call_id LIMIT ${limit}`,
  );
}

const stakes = v.object({
  side: v.picklist(sides),
  wagerCents: wholeNumber,
  counts: v.boolean(),
  callsCount: wholeNumber,
});

/** The calls of a settlement, grouped by side, wager and whether they count. */
export function listDecidedStakes(
  db: Queryable,
  settlementId: number,
): Promise<v.InferOutput<typeof stakes>[]> {
  return queryRows(
    db,
    stakes,
    sql`SELECT p.side, c.wager_cents AS "wagerCents", count(*) AS "callsCount",
        s.result <> 'void' AND (s.effective_at IS NULL OR c.placed_at < s.effective_at) AS counts
      FROM settlements s JOIN settlement_lines l ON l.settlement_id = s.id JOIN calls c ON c.id = l.call_id
        JOIN spots p ON p.id = c.spot_id
      WHERE s.id = ${settlementId} GROUP BY p.side, c.wager_cents, counts`,
  );
}
