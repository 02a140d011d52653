import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { findMessages } from "#src/play/chat/find-messages.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import { findTeams } from "#src/play/teams/find-teams.ts";
import { joinUrlOf } from "#src/show/join-codes/join-url.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { STAGE_LEADERS, STAGE_MESSAGES } from "./contract.ts";
import { findArrivals } from "./find-arrivals.ts";
import { findEvening, findOutcome } from "./find-outcome.ts";
import type { StageAnswer, StageMessage } from "./schemas.ts";

type StageDeps = Pick<Deps, "pool" | "env" | "redis">;

/** Among how many of the newest messages those are looked for that a host has let on the screen. Older ones are of long ago. */
const LOOKED_THROUGH = 200;

/**
 * What the big screen of a session shows besides the session and its events. Nothing in it depends on the viewer, so all screens
 * of a session that ask at the same moment share the reads.
 * @throws Refusal 404 for an unknown session.
 */
export async function showStage(deps: StageDeps, slugOrId: string): Promise<StageAnswer> {
  const { id, joinCode, state, settings } = await requireSession(deps.pool.db, slugOrId);
  // The chat is for accounts. Its newest messages are public while the show is live.
  const isPublic = canWatch(null, { state, settings: {} });
  const { chatApproval: approval, teams } = v.parse(sessionSettings, settings);
  const { messages, ...shown } = await readStage(deps, { id, state, approval, teamed: teams.length > 0 });
  return {
    ...shown,
    messages: isPublic ? messages : [],
    joinCode,
    joinUrl: joinUrlOf(deps.env, joinCode),
  };
}

type Shown = Pick<SessionRow, "id" | "state"> & { approval: boolean; teamed: boolean };

const readStage = shareReads(
  ({ id, state, approval, teamed }: Shown) => `${id} ${state} ${approval} ${teamed}`,
  async (deps: StageDeps, [{ id: sessionId, state, approval, teamed }]) => {
    const [{ leaders, totalCount }, teams, messages, arrivals, outcome, evening] = await Promise.all([
      findLeaders(deps, { sessionId, limit: STAGE_LEADERS, viewerId: null }),
      teamed ? findTeams(deps, sessionId) : [],
      findNewest(deps, { sessionId, approval }),
      state === "pending" ? findArrivals(deps, sessionId) : null,
      state === "pending" ? null : findOutcome(deps, sessionId),
      state === "stopped" ? findEvening(deps, sessionId) : null,
    ]);
    const shared = { leaders, playersCount: totalCount, teams: [...teams] };
    return () => ({ ...shared, messages, arrivals, outcome, evening });
  },
);

async function findNewest(
  { pool }: StageDeps,
  { sessionId, approval }: { sessionId: number; approval: boolean },
): Promise<StageMessage[]> {
  const limit = approval ? LOOKED_THROUGH : 2 * STAGE_MESSAGES;
  const newest = await findMessages(pool.db, { sessionId, before: undefined, limit });
  return newest
    .filter(({ deletedAt, approvedAt }) => deletedAt === null && (!approval || approvedAt !== null))
    .slice(-STAGE_MESSAGES)
    .map(({ id, username, body, createdAt }) => ({ id, username, body, createdAt }));
}
