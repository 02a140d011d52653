import { type SQL, sql } from "drizzle-orm";

/** A player's result on an event, out of the own resolved calls `c` of its round. Refunded ones count as never made. */
export const resultColumns = sql`count(*)::int AS calls_count, sum(c.payout_cents - c.wager_cents)::bigint AS net_cents,
  coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS wagered_cents,
  coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS returned_cents,
  bool_and(c.outcome = 'refunded') AS refunded`;

/**
 * What results must be, counted from the calls alone: `counted_results` for a WITH clause, with the table's columns.
 * @param sessionId of whose events; null: of all.
 */
export function countedResults(sessionId: number | null): SQL {
  return sql`
  counted_results AS MATERIALIZED (
    SELECT e.id AS event_id, c.user_id, e.session_id, e.resolved_at, ${resultColumns}
    FROM events e JOIN calls c ON c.event_id = e.id AND c.round = e.round
    WHERE e.result IS NOT NULL AND c.state = 'resolved' ${sessionId === null ? sql`` : sql`AND e.session_id = ${sessionId}`}
    GROUP BY e.id, c.user_id
  )`;
}

/**
 * What scores must be, counted from results: `counted_scores` for a WITH clause, with the table's columns.
 * @param from the results, with the columns of their table; each player's are all there.
 */
export function countedScores(from: SQL): SQL {
  return sql`
  scoped AS (
    SELECT NULL::bigint AS scope, r.* FROM ${from} r
    UNION ALL SELECT session_id, r.* FROM ${from} r WHERE session_id IS NOT NULL
  ),
  runs AS (
    SELECT *, count(*) FILTER (WHERE net_cents < 0)
      OVER (PARTITION BY user_id, scope ORDER BY resolved_at, event_id) AS run
    FROM scoped
  ),
  streaks AS (
    SELECT user_id, scope, run, count(*) FILTER (WHERE net_cents > 0) AS wins FROM runs GROUP BY user_id, scope, run
  ),
  records AS (
    SELECT user_id, scope, (array_agg(wins ORDER BY run DESC))[1]::int AS current_streak,
      max(wins)::int AS best_streak
    FROM streaks GROUP BY user_id, scope
  ),
  sums AS (
    SELECT user_id, scope, count(*)::int AS played, (count(*) FILTER (WHERE net_cents > 0))::int AS wins,
      (count(*) FILTER (WHERE net_cents < 0))::int AS losses, (count(*) FILTER (WHERE refunded))::int AS refunded,
      sum(calls_count)::int AS calls_count, sum(net_cents)::bigint AS net_cents,
      sum(wagered_cents)::bigint AS wagered_cents, sum(returned_cents)::bigint AS returned_cents,
      max(resolved_at) AS last_resolved_at,
      (array_agg(event_id ORDER BY resolved_at DESC, event_id DESC))[1] AS last_event_id
    FROM scoped GROUP BY user_id, scope
  ),
  counted_scores AS MATERIALIZED (
    SELECT s.user_id, s.scope AS session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, current_streak, best_streak, last_resolved_at, last_event_id, false AS stale
    FROM sums s JOIN records r ON r.user_id = s.user_id AND r.scope IS NOT DISTINCT FROM s.scope
  )`;
}
