import type { Deps } from "#src/base/deps.ts";
import { readClock } from "#src/base/outbox/outbox-rows.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { forSession } from "./address-message.ts";

/** A message to a session, with its current leaders. The version is the time of reading. */
export async function buildLeadersMessage(
  deps: Pick<Deps, "pool" | "env">,
  sessionId: number,
): Promise<Broadcast> {
  const serverTime = await readClock(deps.pool.db);
  const { leaders, totalCount } = await findLeaders(deps, {
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
