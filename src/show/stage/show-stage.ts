import { inArray } from "drizzle-orm";
import * as v from "valibot";
import { readDecisions, type ResultDecision } from "#db/ledger/list-settlements.ts";
import { countRight, type PlayerWin, readLargestWins, readSessionTotals } from "#db/ledger/read-wins.ts";
import { users } from "#db/schema/users.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { arrivedKey } from "#src/base/redis-keys.ts";
import { dollarsOf } from "#src/http/money.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { findMessages } from "#src/play/chat/find-messages.ts";
import { findLeaders, findLongestStreak, findMostWon, findScore } from "#src/play/leaderboard/find-scores.ts";
import { findTeams } from "#src/play/teams/find-teams.ts";
import { joinUrlOf } from "#src/show/join-codes/join-code.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { ARRIVALS_NAMED, STAGE_DECISIONS, STAGE_LEADERS, STAGE_MESSAGES } from "./contract.ts";
import type { Arrivals, Evening, MostWon, StageAnswer, StageMessage, StageOutcome, Win } from "./schemas.ts";

/** Of so many wins the first is named whose player is on the leaderboard. */
const WINS_READ = 5;

type StageDeps = Pick<Deps, "pool" | "env" | "redis">;

/** Among how many of the newest messages those are looked for that a host has let on the screen. Older ones are of long ago. */
const LOOKED_THROUGH = 200;

/**
 * What the big screen of a session shows besides the session and its events. Nothing in it depends on the viewer, so all screens
 * of a session that ask at the same moment share the reads.
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

const readStage = batchReads(
  ({ id, state, approval, teamed }: Shown) => `${id} ${state} ${approval} ${teamed}`,
  async (deps: StageDeps, [{ id: sessionId, state, approval, teamed }]) => {
    const [{ leaders, totalCount }, teams, messages, arrivals, told, evening] = await Promise.all([
      findLeaders(deps, { sessionId, limit: STAGE_LEADERS, viewerId: null }),
      teamed ? findTeams(deps, sessionId) : [],
      findNewest(deps, { sessionId, approval }),
      state === "pending" ? findArrivals(deps, sessionId) : null,
      state === "pending" ? { outcome: null, decisions: [] } : findResults(deps, sessionId),
      state === "stopped" ? findEvening(deps, sessionId) : null,
    ]);
    const shared = { leaders, playersCount: totalCount, teams: [...teams] };
    return () => ({ ...shared, ...told, messages, arrivals, evening });
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

/** Who has come to a session, as the cable has counted them; null while Redis is not available. */
async function findArrivals(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  sessionId: number,
): Promise<Arrivals | null> {
  const key = arrivedKey(redis, sessionId);
  const read = Promise.all([redis.zcard(key), redis.zrange(key, String(-ARRIVALS_NAMED), "-1")]);
  const [count, members] = await read.catch(() => [0, null] as const);
  if (members === null) return null;
  if (members.length === 0) return { count, players: [] };
  const ids = members.map(Number);
  const rows = await pool.db
    .select({ userId: users.id, username: users.username, avatar: users.avatar, deletedAt: users.deletedAt })
    .from(users)
    .where(inArray(users.id, ids));
  const known = new Map(rows.map((row) => [row.userId, row]));
  const players = ids.flatMap((id) => {
    const row = known.get(id);
    if (row === undefined || row.deletedAt !== null) return [];
    return [{ userId: id, username: row.username, picture: presentAvatar(row.avatar).small }];
  });
  return { count: count - (ids.length - players.length), players };
}

type OutcomeDeps = Pick<Deps, "pool" | "env">;

/** The last decisions on results, and how players did on the event whose result is the newest that is paid; null where it was voided. */
async function findResults(
  deps: OutcomeDeps,
  sessionId: number,
): Promise<Pick<StageAnswer, "outcome" | "decisions">> {
  const decided = await readDecisions(deps.pool.db, sessionId, STAGE_DECISIONS);
  const [latest] = decided
    .filter(({ result }) => result !== null)
    .toSorted((one, other) => paidMs(other) - paidMs(one));
  return {
    outcome:
      latest === undefined || latest.result === "void" ? null : await findOutcome(deps, sessionId, latest),
    decisions: decided.map(({ eventId, decidedAt, correctedAt, was }) => ({
      eventId,
      at: decidedAt.toISOString(),
      corrected: correctedAt === null || was === null ? null : { at: correctedAt.toISOString(), was },
    })),
  };
}

/** A correction is paid at once. */
function paidMs({ correctedAt, resolvedAt, decidedAt }: ResultDecision): number {
  return (correctedAt ?? resolvedAt ?? decidedAt).getTime();
}

async function findOutcome(
  deps: OutcomeDeps,
  sessionId: number,
  { eventId }: Pick<ResultDecision, "eventId">,
): Promise<StageOutcome> {
  const { db } = deps.pool;
  const [counts, wins] = await Promise.all([
    countRight(db, eventId),
    readLargestWins(db, { eventId }, WINS_READ),
  ]);
  return { eventId, ...counts, biggestWin: await nameFirst(deps, sessionId, wins) };
}

async function findEvening(deps: OutcomeDeps, sessionId: number): Promise<Evening> {
  const { db } = deps.pool;
  const [totals, wins, mostWon, longestStreak] = await Promise.all([
    readSessionTotals(db, sessionId),
    readLargestWins(db, { sessionId }, WINS_READ),
    showMostWon(deps, sessionId),
    findLongestStreak(deps, sessionId),
  ]);
  const biggestWin = await nameFirst(deps, sessionId, wins);
  return { ...totals, wagered: dollarsOf(totals.wageredCents), biggestWin, mostWon, longestStreak };
}

/** Who has won the most money in a session; null if nobody has won any. */
export async function showMostWon(deps: OutcomeDeps, sessionId: number): Promise<MostWon | null> {
  const found = await findMostWon(deps, sessionId);
  return found === null ? null : { ...found, net: dollarsOf(found.netCents) };
}

/** Who is on no leaderboard is not named here either. */
async function nameFirst(
  deps: OutcomeDeps,
  sessionId: number,
  wins: readonly PlayerWin[],
): Promise<Win | null> {
  for (const { userId, eventId, netCents } of wins) {
    const score = await findScore(deps, { sessionId, userId });
    if (score !== null)
      return { userId, username: score.username, eventId, net: dollarsOf(netCents), netCents };
  }
  return null;
}
