import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, queryRows, wholeNumber } from "./query.ts";

const win = v.object({ userId: wholeNumber, eventId: wholeNumber, netCents: wholeNumber });
export type PlayerWin = v.InferOutput<typeof win>;

/** The settlements of one event, or of all events of a session. */
type Settled = { eventId: number } | { sessionId: number };

/** The largest wins, the largest first. A settlement counts from its decision on, paid or not. */
export function readLargestWins(db: Queryable, settled: Settled, limit: number): Promise<PlayerWin[]> {
  return queryRows(db, win)`
    SELECT c.user_id AS "userId", s.event_id AS "eventId", sum(l.payout_cents - c.wager_cents) AS "netCents"
    FROM ${resultsOf(settled)} JOIN settlement_lines l ON l.settlement_id = s.id JOIN calls c ON c.id = l.call_id
    GROUP BY c.user_id, s.event_id HAVING sum(l.payout_cents - c.wager_cents) > 0
    ORDER BY 3 DESC, c.user_id LIMIT ${limit}`;
}

const called = v.object({ playersCount: wholeNumber, rightCount: wholeNumber });

/** How many players have called an event that counts, and how many of them its result. Late calls count neither way. */
export function countRight(db: Queryable, eventId: number): Promise<v.InferOutput<typeof called>> {
  // Where nobody took the other side all wagers come back. Otherwise only those of late calls do.
  return queryRow(db, called)`WITH lines AS (
      SELECT c.user_id, l.outcome, p.side = s.result AS is_right
      FROM ${resultsOf({ eventId })} JOIN settlement_lines l ON l.settlement_id = s.id
        JOIN calls c ON c.id = l.call_id JOIN spots p ON p.id = c.spot_id
    ), counted AS (
      SELECT user_id, is_right FROM lines
      WHERE outcome <> 'refunded' OR NOT EXISTS (SELECT FROM lines WHERE outcome <> 'refunded')
    )
    SELECT count(DISTINCT user_id) AS "playersCount",
      count(DISTINCT user_id) FILTER (WHERE is_right) AS "rightCount" FROM counted`;
}

const totals = v.object({
  playersCount: wholeNumber,
  eventsCount: wholeNumber,
  callsCount: wholeNumber,
  wageredCents: wholeNumber,
});

/** How much was played in a session, on the events that have a result. */
export function readSessionTotals(db: Queryable, sessionId: number): Promise<v.InferOutput<typeof totals>> {
  return queryRow(db, totals)`
    SELECT count(DISTINCT c.user_id) AS "playersCount", count(DISTINCT s.event_id) AS "eventsCount",
      count(l.call_id) AS "callsCount", coalesce(sum(c.wager_cents), 0) AS "wageredCents"
    FROM ${resultsOf({ sessionId })} LEFT JOIN settlement_lines l ON l.settlement_id = s.id
      LEFT JOIN calls c ON c.id = l.call_id`;
}

/** The settlements `s` of the results that players see now. */
function resultsOf(settled: Settled): SQL {
  const which =
    "eventId" in settled ? sql`e.id = ${settled.eventId}` : sql`e.session_id = ${settled.sessionId}`;
  return sql`(SELECT s.* FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE e.state = 'resolved' AND e.result <> 'void' AND ${which}) s`;
}
