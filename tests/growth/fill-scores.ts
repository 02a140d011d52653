import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import type { Size } from "./fill-size.ts";

/** The results and scores of the filled calls, and the newest change of each leaderboard, which is kept. Every player wins and loses in turn, so a streak is never longer than 1. */
export async function fillScores(tx: Transaction, { firstId }: Size): Promise<void> {
  await tx.execute(sql`INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents,
      wagered_cents, returned_cents, refunded)
    SELECT e.id, c.user_id, e.session_id, e.resolved_at, 1, c.payout_cents - c.wager_cents, c.wager_cents, c.payout_cents,
      false
    FROM calls c JOIN events e ON e.id = c.event_id WHERE c.id >= ${firstId} ORDER BY e.id, c.user_id`);
  await tx.execute(sql`INSERT INTO scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents,
      wagered_cents, returned_cents, current_streak, best_streak, last_resolved_at, last_event_id)
    SELECT user_id, CASE WHEN grouping(session_id) = 0 THEN session_id END, count(*), count(*) FILTER (WHERE net_cents > 0),
      count(*) FILTER (WHERE net_cents < 0), 0, count(*), sum(net_cents), sum(wagered_cents), sum(returned_cents),
      ((array_agg(net_cents ORDER BY event_id DESC))[1] > 0)::int, bool_or(net_cents > 0)::int, max(resolved_at),
      max(event_id)
    FROM results WHERE event_id >= ${firstId} GROUP BY GROUPING SETS ((user_id), (user_id, session_id))`);
  await tx.execute(
    sql`INSERT INTO leaderboard_changes (session_id, created_at)
      SELECT id, game_now() - interval '1 day' FROM sessions WHERE id >= ${firstId} ORDER BY id`,
  );
}
