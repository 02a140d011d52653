import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction, Queryable } from "#db/client.ts";
import { scores } from "#db/schema/scores.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeFacts } from "./write-fact.ts";

/**
 * Records that a leaderboard has changed, so that caches read it again. Call it in the transaction that changes scores,
 * exclusions or who is a guest. It only inserts a row: two settlements never wait for each other here.
 * @param sessionId null: every leaderboard.
 */
export async function recordChange(tx: Queryable, sessionId: number | null): Promise<void> {
  await tx.execute(sql`INSERT INTO leaderboard_changes (session_id) VALUES (${sessionId})`);
}

/**
 * Records that a player was added to or removed from a session's leaderboard, or (null) from all of them, and broadcasts it
 * in every live session that is affected.
 */
export async function recordPlayerChange(
  tx: Transaction,
  { userId, sessionId }: { userId: number; sessionId: number | null },
): Promise<void> {
  await recordChange(tx, sessionId);
  const sessionIds = sessionId === null ? await findLiveSessionIds(tx, userId) : [sessionId];
  await writeFacts(
    tx,
    sessionIds.map((id) => ({ kind: "leaders_changed" as const, sessionId: id })),
  );
}

/** The live sessions in which the player has a score. */
async function findLiveSessionIds(tx: Transaction, userId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(scores)
    .innerJoin(sessions, eq(sessions.id, scores.sessionId))
    .where(and(eq(scores.userId, userId), inArray(sessions.state, ["running", "paused"])));
  return rows.map(({ id }) => id);
}
