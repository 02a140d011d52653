import { type SQL, sql } from "drizzle-orm";

/** A player's result on an event, from the player's resolved calls `c` of its round. Refunded calls do not count as wagered. */
export const resultColumns = sql`count(*)::int AS calls_count, sum(c.payout_cents - c.wager_cents)::bigint AS net_cents,
  coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS wagered_cents,
  coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0)::bigint AS returned_cents,
  bool_and(c.outcome = 'refunded') AS refunded`;

/** In SQL: the player of a result was right: won, or right while nobody had called the other side. */
export const isRight = sql`(net_cents > 0 OR (refunded AND was_unopposed(event_id)))`;

/**
 * What `results` must contain, computed from the calls alone. Those of a merged guest count for its account.
 * @param sessionId of the events; null: all events.
 * @returns `expected_results` for a WITH clause, with the table's columns.
 */
export function expectedResults(sessionId: number | null): SQL {
  return sql`
  expected_results AS MATERIALIZED (
    SELECT e.id AS event_id, coalesce(u.merged_into, u.id) AS user_id, e.session_id, e.resolved_at, ${resultColumns}
    FROM events e JOIN calls c ON c.event_id = e.id AND c.round = e.round JOIN users u ON u.id = c.user_id
    WHERE e.result IS NOT NULL AND c.state = 'resolved' ${sessionId === null ? sql`` : sql`AND e.session_id = ${sessionId}`}
    GROUP BY e.id, 2
  )`;
}

/**
 * What `scores` must contain, computed from results.
 * @param from a relation with the columns of `results`; it has all results of each of its players.
 * @returns `expected_scores` for a WITH clause, with the table's columns.
 */
export function expectedScores(from: SQL): SQL {
  return sql`
  scoped AS (
    SELECT NULL::bigint AS scope, r.* FROM ${from} r
    UNION ALL SELECT session_id, r.* FROM ${from} r WHERE session_id IS NOT NULL
  ),
  runs AS (
    SELECT *, ${isRight} AS is_right, count(*) FILTER (WHERE net_cents < 0)
      OVER (PARTITION BY user_id, scope ORDER BY resolved_at, event_id) AS run
    FROM scoped
  ),
  streaks AS (
    SELECT user_id, scope, run, count(*) FILTER (WHERE is_right) AS rights FROM runs GROUP BY user_id, scope, run
  ),
  records AS (
    SELECT user_id, scope, (array_agg(rights ORDER BY run DESC))[1]::int AS current_streak,
      max(rights)::int AS best_streak
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
  expected_scores AS MATERIALIZED (
    SELECT s.user_id, s.scope AS session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, current_streak, best_streak, last_resolved_at, last_event_id, false AS stale
    FROM sums s JOIN records r ON r.user_id = s.user_id AND r.scope IS NOT DISTINCT FROM s.scope
  )`;
}
