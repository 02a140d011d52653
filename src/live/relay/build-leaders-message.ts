import type { Deps } from "#src/base/deps.ts";
import { readClock } from "#src/base/outbox/outbox-rows.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { findTeams } from "#src/play/teams/find-teams.ts";
import { forSession } from "./address-message.ts";

/** A message to a session, with its current leaders, and its teams if it has some. The version is the time of reading. */
export async function buildLeadersMessage(
  deps: Pick<Deps, "pool" | "env">,
  sessionId: number,
): Promise<Broadcast> {
  const serverTime = await readClock(deps.pool.db);
  const [{ leaders, totalCount }, teams] = await Promise.all([
    findLeaders(deps, { sessionId, limit: LEADERS_DEFAULT, viewerId: null }),
    findTeams(deps, sessionId),
  ]);
  const ofTeams = teams.length === 0 ? {} : { teams: [...teams] };
  return forSession(sessionId, {
    sourceType: "Score",
    eventType: "leaders",
    detail: { leaders, totalCount, ...ofTeams, version: Date.parse(serverTime), serverTime },
  });
}
