import type { Queryable } from "#db/client.ts";
import { LEADERS_DEFAULT } from "#src/leaderboard/contract.ts";
import { findLeaders } from "#src/leaderboard/find-scores.ts";
import { readClock } from "#src/outbox/outbox-rows.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { forSession } from "./address-message.ts";

/** A message to a session, with its current leaders. The version is the time of reading. */
export async function buildLeadersMessage(db: Queryable, sessionId: number): Promise<Broadcast> {
  const serverTime = await readClock(db);
  const { leaders, totalCount } = await findLeaders(db, {
    sessionId,
    limit: LEADERS_DEFAULT,
    viewerId: null,
  });
  return forSession(sessionId, {
    sourceType: "Score",
    eventType: "leaders",
    detail: { leaders, totalCount, version: Date.parse(serverTime), serverTime },
  });
}
