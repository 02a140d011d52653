import { and, eq, gt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mutes } from "#db/schema/messages.ts";
import type { MuteView } from "./schemas.ts";

/** Until when a player may not write in a session, and why; null where nothing is in the way. */
export async function findMute(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<MuteView | null> {
  const [row] = await db
    .select({ userId: mutes.userId, until: mutes.until, reason: mutes.reason })
    .from(mutes)
    .where(and(eq(mutes.sessionId, sessionId), eq(mutes.userId, userId), gt(mutes.until, sql`game_now()`)));
  return row === undefined ? null : { ...row, until: row.until.toISOString() };
}
