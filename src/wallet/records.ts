import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";

/** A whole number as the database gives it: counts and sums arrive as text. */
export const whole = v.pipe(
  v.union([v.number(), v.string(), v.bigint()]),
  v.transform(Number),
  v.safeInteger(),
);

/**
 * Two common table expressions that say how players have done, for a WITH clause:
 *
 * - `nets`: one row per player and resolved event: user_id, event_id, resolved_at, net, wagered, returned (cents) and
 *   refunded (every call of it was). Refunded calls are neither wagered nor returned, as if they had never been made.
 * - `records`: one row per player: wins, losses, current_streak, best_streak. An event is won where the player's net on
 *   it is above 0, lost where it is below; what is neither breaks no streak. A streak counts wins; a loss ends it.
 *
 * @param scope which calls and events count, over the tables `calls` and `events`.
 */
export function recordTables(scope: SQL): SQL {
  return sql`
    nets AS MATERIALIZED (
      SELECT ${calls.userId} AS user_id, ${calls.eventId} AS event_id, ${events.resolvedAt} AS resolved_at,
        sum(${calls.payoutCents} - ${calls.wagerCents}) AS net,
        coalesce(sum(${calls.wagerCents}) FILTER (WHERE ${calls.outcome} <> 'refunded'), 0) AS wagered,
        coalesce(sum(${calls.payoutCents}) FILTER (WHERE ${calls.outcome} <> 'refunded'), 0) AS returned,
        bool_and(${calls.outcome} = 'refunded') AS refunded
      FROM ${calls} JOIN ${events} ON ${events.id} = ${calls.eventId} AND ${events.round} = ${calls.round}
      WHERE ${calls.state} = 'resolved' AND ${events.result} IS NOT NULL AND ${scope}
      GROUP BY ${calls.userId}, ${calls.eventId}, ${events.resolvedAt}
    ),
    runs AS (
      SELECT nets.user_id, nets.net,
        count(*) FILTER (WHERE nets.net < 0) OVER (PARTITION BY nets.user_id ORDER BY nets.resolved_at, nets.event_id) AS run
      FROM nets
    ),
    streaks AS (SELECT user_id, run, count(*) FILTER (WHERE net > 0) AS wins FROM runs GROUP BY user_id, run),
    records AS (
      SELECT user_id, sum(wins) AS wins, max(run) AS losses,
        (array_agg(wins ORDER BY run DESC))[1] AS current_streak, max(wins) AS best_streak
      FROM streaks GROUP BY user_id
    )`;
}
