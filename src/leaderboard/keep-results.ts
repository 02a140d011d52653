import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { recountStreaks } from "./recount-streaks.ts";
import { resultColumns } from "./recount.ts";

/** Players by their ids, both ends included: an event with many is brought up to date in several transactions. */
export type PlayerRange = { from: number; to: number };
const everybody: PlayerRange = { from: 1, to: Number.MAX_SAFE_INTEGER };

/**
 * Brings the results of an event, and the scores of its players, to what its calls say now. It is called in the transaction
 * that settles, corrects or resets the event, after the event itself was changed; calling it again changes nothing.
 *
 * Sums move by what is new minus what was there. A streak goes on where the event is the player's newest; else it is counted
 * again.
 */
export async function keepResults(
  tx: Transaction,
  eventId: number,
  players: PlayerRange = everybody,
): Promise<void> {
  await tx.execute(sql`
    WITH ${changesOf(eventId, players)}
    INSERT INTO scores AS s (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, current_streak, best_streak, last_resolved_at, last_event_id, stale)
    SELECT user_id, scope.session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
      returned_cents, greatest(wins, 0), greatest(wins, 0), coalesce((SELECT resolved_at FROM event), '-infinity'),
      ${eventId}, stale
    FROM change CROSS JOIN scope
    -- In one order for all, so that two settlements never wait for each other.
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
  await recountStreaks(tx);
  await tx.execute(
    sql`INSERT INTO leaderboard_changes (session_id) SELECT session_id FROM events WHERE id = ${eventId}`,
  );
}

/** Brings `results` to what the calls say, and answers as `change` by how much each player's sums move by it. */
function changesOf(eventId: number, { from, to }: PlayerRange): SQL {
  return sql`
    event AS (
      SELECT id, session_id, round, resolved_at FROM events WHERE id = ${eventId} AND result IS NOT NULL
    ),
    fresh AS (
      SELECT c.user_id, ${resultColumns} FROM event JOIN calls c ON c.event_id = event.id AND c.round = event.round
      WHERE c.state = 'resolved' AND c.user_id BETWEEN ${from} AND ${to} GROUP BY c.user_id
    ),
    stood AS (SELECT * FROM results WHERE event_id = ${eventId} AND user_id BETWEEN ${from} AND ${to}),
    gone AS (
      DELETE FROM results r WHERE r.event_id = ${eventId} AND r.user_id BETWEEN ${from} AND ${to}
        AND NOT EXISTS (SELECT 1 FROM fresh WHERE fresh.user_id = r.user_id)
    ),
    kept AS (
      INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents, wagered_cents,
        returned_cents, refunded)
      SELECT event.id, user_id, event.session_id, event.resolved_at, calls_count, net_cents, wagered_cents,
        returned_cents, refunded
      FROM fresh, event
      ON CONFLICT (event_id, user_id) DO UPDATE SET calls_count = excluded.calls_count,
        net_cents = excluded.net_cents, wagered_cents = excluded.wagered_cents,
        returned_cents = excluded.returned_cents, refunded = excluded.refunded
    ),
    told AS (
      SELECT 1 AS sign, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM fresh
      UNION ALL
      SELECT -1, user_id, calls_count, net_cents, wagered_cents, returned_cents, refunded FROM stood
    ),
    change AS (
      SELECT user_id, sum(sign) AS played, bool_or(sign < 0) AS stale, sum(sign * calls_count) AS calls_count,
        sum(sign * (net_cents > 0)::int) AS wins, sum(sign * (net_cents < 0)::int) AS losses,
        sum(sign * refunded::int) AS refunded, sum(sign * net_cents) AS net_cents,
        sum(sign * wagered_cents) AS wagered_cents, sum(sign * returned_cents) AS returned_cents
      FROM told GROUP BY user_id
    ),
    scope AS (
      SELECT NULL::bigint AS session_id
      UNION ALL SELECT session_id FROM events WHERE id = ${eventId} AND session_id IS NOT NULL
    )`;
}
