import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { Filled } from "../growth/fill-growth.ts";
import type { BenchDeps } from "./bench-deps.ts";

/**
 * Registers all filled players for the session of an open event, and places a call of each on it: 1.00 to 1.49, three of five
 * on True. Bulk inserts replace the verb, but the same triggers run.
 */
export async function fillLive(
  { pool }: BenchDeps,
  { firstId, users }: Filled,
  event: EventRow,
): Promise<void> {
  const filled = sql`BETWEEN ${firstId} AND ${firstId + users - 1}`;
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    await tx.execute(sql`INSERT INTO registrations (session_id, user_id, display_name)
      SELECT ${event.sessionId}, id, username FROM users WHERE id ${filled} ORDER BY id`);
    await tx.execute(sql`INSERT INTO calls (user_id, account_id, event_id, spot_id, round, wager_cents, idempotency_key,
        placed_at)
      SELECT a.user_id, a.id, ${event.id}, s.id, 1, 100 + a.user_id % 50, 'filled-live', game_now()
      FROM accounts a JOIN spots s ON s.event_id = ${event.id}
        AND s.side = CASE WHEN a.user_id % 5 < 3 THEN 'true' ELSE 'false' END
      WHERE a.kind = 'wallet' AND a.user_id ${filled} ORDER BY a.user_id`);
  });
  await pool.db.execute(sql`ANALYZE registrations, calls, accounts, spots`);
}
