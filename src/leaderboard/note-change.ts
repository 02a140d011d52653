import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";

/**
 * Says in the transaction that changes scores or exclusions that the table of a session has changed, so that whoever keeps it
 * reads it again. It only ever adds a row: two settlements never wait for each other here.
 * @param sessionId null: every table.
 */
export async function noteChange(tx: Queryable, sessionId: number | null): Promise<void> {
  await tx.execute(sql`INSERT INTO leaderboard_changes (session_id) VALUES (${sessionId})`);
}
