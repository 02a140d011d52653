import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { scores } from "#db/schema/scores.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { noteChange } from "./note-change.ts";

/** Says that a player came into or went out of the tables: of one session, or (null) of every one that people may watch. */
export async function tellTables(
  tx: Transaction,
  { userId, sessionId }: { userId: number; sessionId: number | null },
): Promise<void> {
  await noteChange(tx, sessionId);
  const sessionIds = sessionId === null ? await findWatched(tx, userId) : [sessionId];
  await writeFacts(
    tx,
    sessionIds.map((id) => ({ kind: "leaders_changed" as const, sessionId: id })),
  );
}

/** The sessions under way in which the player has a score. */
async function findWatched(tx: Transaction, userId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(scores)
    .innerJoin(sessions, eq(sessions.id, scores.sessionId))
    .where(and(eq(scores.userId, userId), inArray(sessions.state, ["running", "paused"])));
  return rows.map(({ id }) => id);
}
