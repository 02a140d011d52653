import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { resultColumns } from "./expected-scores.ts";

/*
 * Scores are updated with each settlement. Counting all calls for a wallet's metrics or a leaderboard would take longer the
 * more is played. `results` has a player's net on an event, `scores` the sums of a player's results. Both follow from the
 * calls: a job and `bun run reconcile` compare them, and repair-scores.ts recomputes them.
 */

/** A range of player ids, both ends included: a large settlement updates its scores in several transactions. */
export type PlayerRange = { from: number; to: number };
const allPlayers: PlayerRange = { from: 1, to: Number.MAX_SAFE_INTEGER };

/**
 * Updates the results of an event, and the scores of its players, from its calls. Call it in the transaction that settles,
 * corrects or resets the event, after the event itself was changed. Calling it again changes nothing.
 *
 * Sums change by the difference between the new and the old result. A streak is extended if the event is the player's
 * newest; otherwise it is recomputed from all results.
 */
export async function updateScores(
  tx: Transaction,
  eventId: number,
  players: PlayerRange = allPlayers,
): Promise<void> {
  await tx.execute(sql`
    WITH ${updateResults(eventId, players)}
    INSERT INTO scores AS s (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, current_streak, best_streak, last_resolved_at, last_event_id, stale)
    SELECT user_id, scope.session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, greatest(wins, 0), greatest(wins, 0), coalesce((SELECT resolved_at FROM event), '-infinity'),
      ${eventId}, stale
    FROM change CROSS JOIN scope
    -- Always in the same order, so that two settlements cannot deadlock.
    ORDER BY user_id, scope.session_id NULLS FIRST
    ON CONFLICT (user_id, session_id) DO UPDATE SET
      played = s.played + excluded.played, wins = s.wins + excluded.wins, losses = s.losses + excluded.losses,
      refunded = s.refunded + excluded.refunded, calls_count = s.calls_count + excluded.calls_count,
      net_cents = s.net_cents + excluded.net_cents, wagered_cents = s.wagered_cents + excluded.wagered_cents,
      returned_cents = s.returned_cents + excluded.returned_cents,
      current_streak = CASE WHEN excluded.losses > 0 THEN 0 ELSE s.current_streak + excluded.current_streak END,
      best_streak = greatest(s.best_streak, s.current_streak + excluded.current_streak),
      last_resolved_at = excluded.last_resolved_at, last_event_id = excluded.last_event_id,
      stale = excluded.stale OR (excluded.last_resolved_at, excluded.last_event_id)
        < (s.last_resolved_at, s.last_event_id)`);
  await recomputeStreaks(tx);
  await tx.execute(
    sql`INSERT INTO leaderboard_changes (session_id) SELECT session_id FROM events WHERE id = ${eventId}`,
  );
}

/** @returns for a WITH clause: updates `results` from the calls; `change` has the difference in each player's sums. */
function updateResults(eventId: number, { from, to }: PlayerRange): SQL {
  return sql`
    event AS (
      SELECT id, session_id, round, resolved_at FROM events WHERE id = ${eventId} AND result IS NOT NULL
    ),
    fresh AS (
      SELECT c.user_id, ${resultColumns} FROM event JOIN calls c ON c.event_id = event.id AND c.round = event.round
      WHERE c.state = 'resolved' AND c.user_id BETWEEN ${from} AND ${to} GROUP BY c.user_id
    ),
    previous AS (SELECT * FROM results WHERE event_id = ${eventId} AND user_id BETWEEN ${from} AND ${to}),
    deleted AS (
      DELETE FROM results r WHERE r.event_id = ${eventId} AND r.user_id BETWEEN ${from} AND ${to}
        AND NOT EXISTS (SELECT 1 FROM fresh WHERE fresh.user_id = r.user_id)
    ),
    upserted AS (
      INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents, wagered_cents,
        returned_cents, refunded)
      SELECT event.id, user_id, event.session_id, event.resolved_at, calls_count, net_cents, wagered_cents,
        returned_cents, refunded
      FROM fresh, event
      ON CONFLICT (event_id, user_id) DO UPDATE SET calls_count = excluded.calls_count,
        net_cents = excluded.net_cents, wagered_cents = excluded.wagered_cents,
        returned_cents = excluded.returned_cents, refunded = excluded.refunded
    ),
    signed AS (
      SELECT 1 AS sign, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM fresh
      UNION ALL
      SELECT -1, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM previous
    ),
    change AS (
      SELECT user_id, sum(sign) AS played, bool_or(sign < 0) AS stale, sum(sign * calls_count) AS calls_count,
        sum(sign * (net_cents > 0)::int) AS wins, sum(sign * (net_cents < 0)::int) AS losses,
        sum(sign * refunded::int) AS refunded, sum(sign * net_cents) AS net_cents,
        sum(sign * wagered_cents) AS wagered_cents, sum(sign * returned_cents) AS returned_cents
      FROM signed GROUP BY user_id
    ),
    scope AS (
      SELECT NULL::bigint AS session_id
      UNION ALL SELECT session_id FROM events WHERE id = ${eventId} AND session_id IS NOT NULL
    )`;
}

/**
 * Recomputes the streaks of stale scores from all their results. Other transactions never see stale scores: they are marked
 * and recomputed in one transaction. A win extends a streak, a loss ends it, and a push leaves it as it is.
 */
async function recomputeStreaks(tx: Transaction): Promise<void> {
  await tx.execute(sql`DELETE FROM scores WHERE stale AND played = 0`);
  await tx.execute(sql`
    WITH runs AS (
      SELECT s.user_id, s.session_id, r.net_cents, r.resolved_at, r.event_id,
        count(*) FILTER (WHERE r.net_cents < 0)
          OVER (PARTITION BY s.user_id, s.session_id ORDER BY r.resolved_at, r.event_id) AS run
      FROM scores s JOIN results r
        ON r.user_id = s.user_id AND (s.session_id IS NULL OR r.session_id = s.session_id)
      WHERE s.stale
    ),
    streaks AS (
      SELECT user_id, session_id, run, count(*) FILTER (WHERE net_cents > 0) AS wins
      FROM runs GROUP BY user_id, session_id, run
    ),
    counted AS (
      SELECT user_id, session_id, (array_agg(wins ORDER BY run DESC))[1] AS current_streak, max(wins) AS best_streak
      FROM streaks GROUP BY user_id, session_id
    ),
    newest AS (
      SELECT DISTINCT ON (user_id, session_id) user_id, session_id, resolved_at, event_id
      FROM runs ORDER BY user_id, session_id, resolved_at DESC, event_id DESC
    )
    UPDATE scores s SET stale = false, current_streak = c.current_streak, best_streak = c.best_streak,
      last_resolved_at = n.resolved_at, last_event_id = n.event_id
    FROM counted c JOIN newest n ON n.user_id = c.user_id AND n.session_id IS NOT DISTINCT FROM c.session_id
    WHERE s.stale AND s.user_id = c.user_id AND s.session_id IS NOT DISTINCT FROM c.session_id`);
}
