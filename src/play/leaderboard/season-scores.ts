import { type SQL, sql } from "drizzle-orm";
import { writeIntegerArray } from "#db/ledger/query.ts";
import { expectedScores } from "./expected-scores.ts";

/*
 * Decision: the scores of a season are computed from the results, and not stored. So settling costs nothing more, other dates hold at
 * once, and corrections, exclusions, merged guests and erased accounts hold for seasons as for all time. A result counts for the season in which
 * its event was first decided: a correction changes what it says and not when. An event that is reset and decided again is decided then.
 * Private sessions count, as for all time: a sum names no session. But a player of private sessions alone is on no podium that is public.
 *
 * A ranking needs the sums of all players. A session that lies in the season with all of its results has them in `scores`, one row for each
 * player, so only sessions across an edge of the season are added up from results.
 */

/** From its start until before its end. */
export type Season = { id: number; startsAt: Date; endsAt: Date };

/** Condition: results `r` that count for the season. */
export function decidedIn(season: Season): SQL {
  return sql`r.resolved_at >= ${startOf(season)} AND r.resolved_at < ${endOf(season)}`;
}

/** In SQL: the sums of all players of a season, with the columns of `scores` that a ranking needs. */
export function seasonSums(season: Season): SQL {
  return sql`(
    WITH spans AS MATERIALIZED (
      SELECT decided.session_id AS id, NOT EXISTS (
        SELECT 1 FROM events e WHERE e.session_id = decided.session_id
          AND (e.resolved_at < ${startOf(season)} OR e.resolved_at >= ${endOf(season)})
      ) AS is_whole
      FROM (
        SELECT DISTINCT e.session_id FROM events e
        WHERE e.resolved_at >= ${startOf(season)} AND e.resolved_at < ${endOf(season)} AND e.session_id IS NOT NULL
      ) decided
    ),
    parts AS (
      SELECT k.user_id, k.played, k.wins, k.losses, k.net_cents FROM scores k
      WHERE k.session_id IN (SELECT id FROM spans WHERE is_whole)
      UNION ALL
      SELECT r.user_id, 1, (r.net_cents > 0)::int, (r.net_cents < 0)::int, r.net_cents FROM results r
      WHERE r.session_id IN (SELECT id FROM spans WHERE NOT is_whole) AND ${decidedIn(season)}
      UNION ALL
      SELECT r.user_id, 1, (r.net_cents > 0)::int, (r.net_cents < 0)::int, r.net_cents FROM results r
      WHERE r.session_id IS NULL AND ${decidedIn(season)}
    )
    SELECT NULL::bigint AS session_id, user_id, sum(played)::int AS played, sum(wins)::int AS wins,
      sum(losses)::int AS losses, sum(net_cents)::bigint AS net_cents
    FROM parts GROUP BY user_id
  )`;
}

/**
 * The scores of some players in a season, with their streaks: what `scores` would have.
 * @returns `expected_scores` for a WITH clause.
 */
export function seasonScores(season: Season, userIds: readonly number[]): SQL {
  const own = sql`
  own AS MATERIALIZED (
    SELECT r.event_id, r.user_id, NULL::bigint AS session_id, r.resolved_at, r.calls_count, r.net_cents, r.wagered_cents,
      r.returned_cents, r.refunded
    FROM results r WHERE r.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND ${decidedIn(season)}
  )`;
  return sql`${own}, ${expectedScores(sql`own`)}`;
}

function startOf({ startsAt }: Season): SQL {
  return sql`${startsAt.toISOString()}::timestamptz`;
}

function endOf({ endsAt }: Season): SQL {
  return sql`${endsAt.toISOString()}::timestamptz`;
}
