import { and, eq, isNull } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import { pick } from "#db/pick.ts";
import { spots } from "#db/schema/events.ts";
import { shares } from "#db/schema/shares.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { dollarsOf } from "#src/http/money.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { findLeaders, findScore } from "#src/play/leaderboard/find-scores.ts";
import { findRecords } from "#src/profiles/find-records.ts";
import { findSession } from "#src/show/sessions/find-session.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import { sumUpCalls } from "./contract.ts";
import { findSummedCalls, isLive } from "./create-share.ts";
import { pictureUrl } from "./list-shares.ts";
import type { SharedView } from "./schemas.ts";
import { type Untitled, wordsFor } from "./words-for.ts";

const TOKEN = /^[\w-]{16,64}$/;

/**
 * What a link shows, to all who have it. It is read each time: a corrected result is shown as it is now.
 * @throws Refusal 404 for an unknown, expired or revoked link, for one whose owner has closed the account, and for a call that
 *   the owner has cancelled since, and while its session is private. The answer does not say which.
 */
export async function findShared(deps: ShareDeps, token: string, now: Date): Promise<SharedView> {
  const { env, pool } = deps;
  const share = TOKEN.test(token) ? await findLiveShare(pool.db, token) : undefined;
  if (share === undefined) throw notFound();
  const { kind, username, timeZone } = share;
  const shown = await readTarget(deps, share, now);
  const untitled = { kind, username, timeZone, imageUrl: pictureUrl(env, token), ...shown };
  return { ...untitled, ...wordsFor(untitled) };
}

type ShareDeps = Pick<Deps, "env" | "pool">;
type Share = NonNullable<Awaited<ReturnType<typeof findLiveShare>>>;
type Shown = Pick<Untitled, "sessionName" | "brand" | "livePath" | "call" | "summary" | "records">;

async function findLiveShare(db: Queryable, token: string) {
  const [share] = await db
    .select({
      ...pick(shares, "userId", "kind", "callId", "sessionId", "timeZone"),
      username: users.username,
    })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(and(eq(shares.token, token), isLive, isNull(users.deactivatedAt)));
  return share;
}

async function readTarget(deps: ShareDeps, share: Share, now: Date): Promise<Shown> {
  if (share.sessionId !== null) {
    const { sessionId, userId } = share;
    return readSummary(deps, { sessionId, userId }, now);
  }
  if (share.kind === "records") {
    const records = await findRecords(deps, { userId: share.userId, shown: true });
    // A correction has taken the only one away.
    if (records.longestStreak === null) throw notFound();
    return { sessionName: null, livePath: null, call: null, summary: null, records };
  }
  const { db } = deps.pool;
  const [call] = await findCallViews(db, { callIds: share.callId === null ? [] : [share.callId] }, now);
  const isCancelled = call?.state === "soft_destroyed" && call.refundedBy === null;
  if (call === undefined || isCancelled) throw notFound();
  const result = share.kind === "result" ? await readResult(db, call) : noResult;
  const { eventTitle: title, label, side, wager, wagerCents, placedAt } = call;
  const shown = { title, label, side, wager, wagerCents, placedAt, ...result };
  return { ...(await readSessionOf(db, call.sessionId)), call: shown, summary: null, records: null };
}

const noResult = {
  outcome: null,
  net: null,
  netCents: null,
  refundReason: null,
  corrected: false,
  sameCount: 0,
  callsCount: 0,
};

async function readResult(db: Queryable, call: CallView) {
  const { outcome, net, netCents, refundReason, eventId, spotId } = call;
  const [settlements, sides] = await Promise.all([
    listSettlements(db, eventId),
    db.select({ id: spots.id, count: spots.callsCount }).from(spots).where(eq(spots.eventId, eventId)),
  ]);
  const countOf = (counted: typeof sides) => counted.reduce((sum, { count }) => sum + count, 0);
  return {
    outcome,
    net,
    netCents,
    refundReason,
    corrected: settlements.length > 1,
    sameCount: countOf(sides.filter(({ id }) => id === spotId)),
    callsCount: countOf(sides),
  };
}

async function readSessionOf(
  db: Queryable,
  sessionId: number | null,
): Promise<Pick<Shown, "sessionName" | "brand" | "livePath">> {
  const session = sessionId === null ? null : await findSession(db, sessionId);
  if (session !== null && isPrivate(session.settings)) throw notFound();
  if (session === null) return { sessionName: null, livePath: null };
  const { brand } = v.parse(sessionSettings, session.settings);
  return {
    sessionName: session.name,
    ...(brand !== undefined && { brand }),
    livePath: canWatch(null, session) ? `/sessions/${session.slug}` : null,
  };
}

type Player = { sessionId: number; userId: number };

async function readSummary(deps: ShareDeps, player: Player, now: Date): Promise<Shown> {
  const { db } = deps.pool;
  const { sessionId } = player;
  const [session, calls, score, leaders] = await Promise.all([
    readSessionOf(db, sessionId),
    findSummedCalls(db, player, now),
    findScore(deps, player),
    findLeaders(deps, { sessionId, limit: 1, viewerId: null }),
  ]);
  const { netCents, wins, losses, curveCents, best } = sumUpCalls(calls);
  const summary = {
    rank: score?.rank ?? null,
    tied: score?.tied ?? false,
    playersCount: leaders.totalCount,
    wins,
    losses,
    net: dollarsOf(netCents),
    netCents,
    curve: curveCents.map((ofEvent) => ({ net: dollarsOf(ofEvent), netCents: ofEvent })),
    best: best === null ? null : { ...best, net: dollarsOf(best.netCents) },
  };
  return { ...session, call: null, summary, records: null };
}
