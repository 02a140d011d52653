import type { Queryable } from "#db/client.ts";
import { LEADERS_DEFAULT } from "#src/leaderboard/contract.ts";
import { findLeaders } from "#src/leaderboard/find-scores.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { forSession } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";
import { readClock } from "./outbox-rows.ts";

/** The leaders of a session changed without a settlement: they are told in their own time. */
export async function* noteLeaders(
  { leaders }: Pick<Telling, "leaders">,
  { sessionId }: { sessionId: number },
): Messages {
  leaders.add(sessionId);
  yield [];
}

/** The first of a session as they stand now. The version is the moment of counting. */
export async function tellLeaders(db: Queryable, sessionId: number): Promise<Broadcast> {
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
