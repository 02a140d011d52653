import { and, asc, eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryColumn, queryRows, wholeNumber } from "#db/ledger/query.ts";
import { pick } from "#db/pick.ts";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { audit } from "#db/schema/audit.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { findTeamNumbers, rankTeams, type TeamSums } from "#src/play/teams/find-teams.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import { publishedStates } from "#src/show/events/contract.ts";
import { presentPicture } from "#src/show/events/question-picture.ts";
import { sessionAuditSubjects } from "#src/show/sessions/contract.ts";
import { type EventDetail, type LogEntry, type PlayerSums, readEntries } from "./read-entries.ts";
import type { ReplayAct, ReplayEvent, ReplayLeaders, ReplayPoolChange, ReplayStep } from "./schemas.ts";

/** How many players of the leaderboard a replay shows: as many as the cable broadcasts. */
const REPLAY_LEADERS = 10;

const poolRow = v.object({
  /** Seconds since 1970. */
  second: wholeNumber,
  eventId: wholeNumber,
  round: wholeNumber,
  trueCents: wholeNumber,
  trueCalls: wholeNumber,
  falseCents: wholeNumber,
  falseCalls: wholeNumber,
});

export type StepsDeps = Pick<Deps, "pool" | "env">;
export type StepsOf = {
  sessionId: number;
  /** For admins: with drafts, hidden events and what people did. */
  full: boolean;
};

const subjectType = v.picklist(sessionAuditSubjects);
/** Of all values, those that say what was done. */
const recorded = v.fallback(
  v.object({
    result: v.exactOptional(v.fallback(v.string(), "")),
    pendingResult: v.exactOptional(v.fallback(v.string(), "")),
    shiftMs: v.exactOptional(v.fallback(v.number(), 0)),
    takenBackCents: v.exactOptional(v.fallback(v.number(), 0)),
  }),
  {},
);

/**
 * All steps of a session in the order of their times, from its log, its calls and, for admins, its audit. A step in which viewers could
 * see no change is left out.
 */
export async function* readSteps(
  { pool: { db }, env: { rankGuests } }: StepsDeps,
  { sessionId, full }: StepsOf,
): AsyncGenerator<ReplayStep> {
  const guests = rankGuests ? [] : await readGuests(db, sessionId);
  const fold = new LeadersFold(guests, { rankGuests, teams: await findTeamNumbers(db, sessionId) });
  const pools = (await readPools(db, sessionId)).map(({ atMs, ...change }) => timed(atMs, change));
  const acts = full
    ? (await readActs(db, sessionId)).map(({ atMs, act }) => timed(atMs, { acts: [act] }))
    : [];
  const others = [...pools, ...acts].toSorted((one, other) => one.atMs - other.atMs);
  const shown = new Map<number, ReplayEvent>();
  let next = 0;
  for await (const { atMs, entries } of readEntries(db, sessionId)) {
    for (let other = others[next]; other !== undefined && other.atMs < atMs; other = others[next]) {
      yield other.step;
      next += 1;
    }
    const step = presentEntries(entries, { full, shown, fold });
    if (step !== null) yield timed(atMs, step).step;
  }
  for (const { step } of others.slice(next)) yield step;
}

function timed(atMs: number, change: Partial<ReplayStep>): { atMs: number; step: ReplayStep } {
  const at = new Date(atMs).toISOString();
  return { atMs, step: { at, session: null, events: [], pools: [], leaders: null, acts: [], ...change } };
}

function presentEntries(
  entries: readonly LogEntry[],
  { full, shown, fold }: { full: boolean; shown: Map<number, ReplayEvent>; fold: LeadersFold },
): Pick<ReplayStep, "session" | "events" | "leaders"> | null {
  const session = entries.findLast((entry) => entry.kind === "session")?.detail ?? null;
  // What an event was in between nobody has seen: a stop takes its drafts through visible to hidden.
  const after = new Map(
    entries.flatMap((entry) => (entry.kind === "event" ? [[entry.subjectId, entry] as const] : [])),
  );
  const changed = new Map<number, ReplayEvent>();
  for (const entry of after.values()) {
    const event = presentEvent(entry, { full, before: shown.get(entry.subjectId) });
    if (event === null) continue;
    shown.set(event.id, event);
    changed.set(event.id, event);
  }
  const leaders = fold.apply(entries);
  if (session === null && changed.size === 0 && leaders === null) return null;
  return { session, events: [...changed.values()], leaders };
}

/** @returns null for an event that viewers have not seen yet, or that a player still cannot see. */
function presentEvent(
  { subjectId: id, detail }: { subjectId: number; detail: EventDetail | null },
  { full, before }: { full: boolean; before: ReplayEvent | undefined },
): ReplayEvent | null {
  const visible = detail !== null && isShown(detail, full);
  if (!visible) return before === undefined || !before.shown ? null : { ...before, shown: false };
  const { publishedAt: _publishedAt, picture: stored, explanation, ...rest } = detail;
  const picture = presentPicture(stored, `/api/v1/events/${id}`);
  const isDecided = detail.result !== null || detail.pendingResult !== null;
  return {
    id,
    shown: true,
    ...rest,
    ...(picture !== null && { picture }),
    ...(isDecided && explanation !== "" && { explanation }),
  };
}

function isShown({ state }: EventDetail, full: boolean): boolean {
  return full ? state !== "soft_destroyed" : publishedStates.includes(state);
}

/** The players of a session who were guests at its begin: those whose first entry says that they are no more, and those without one. */
function readGuests(db: Queryable, sessionId: number): Promise<number[]> {
  return queryColumn(db, wholeNumber)`
    SELECT u.id FROM scores s JOIN users u ON u.id = s.user_id
    WHERE s.session_id = ${sessionId} AND coalesce((
      SELECT detail = '{"guest": false}' FROM session_log
      WHERE session_id IS NULL AND kind = 'guest' AND subject_id = u.id ORDER BY id LIMIT 1), u.guest)`;
}

type PoolsAt = { atMs: number; pools: ReplayPoolChange[] };

/**
 * The pools of a session's events, at each second at which one has changed, in order. They follow from the calls: a call counts
 * from its placing, and no longer when it is destroyed. Both stay for good, so this is exact for sessions without a log too.
 * There are at most as many rows as seconds in which players could call, however many calls there are.
 */
async function readPools(db: Queryable, sessionId: number): Promise<PoolsAt[]> {
  const pools = await queryRows(db, poolRow)`
    WITH moves AS (
      SELECT c.event_id, c.round, s.side, m.at, m.sign * c.wager_cents AS cents, m.sign
      FROM events e JOIN calls c ON c.event_id = e.id JOIN spots s ON s.id = c.spot_id
        CROSS JOIN LATERAL (
          SELECT c.placed_at AS at, 1 AS sign UNION ALL
          SELECT c.ended_at, -1 WHERE c.state = 'soft_destroyed'
        ) m
      WHERE e.session_id = ${sessionId}
    ),
    seconds AS (
      SELECT event_id, round, ceil(extract(epoch FROM at)) AS second,
        coalesce(sum(cents) FILTER (WHERE side = 'true'), 0) AS true_cents,
        coalesce(sum(sign) FILTER (WHERE side = 'true'), 0) AS true_calls,
        coalesce(sum(cents) FILTER (WHERE side = 'false'), 0) AS false_cents,
        coalesce(sum(sign) FILTER (WHERE side = 'false'), 0) AS false_calls
      FROM moves GROUP BY 1, 2, 3
    )
    SELECT event_id AS "eventId", round, second,
      sum(true_cents) OVER w AS "trueCents", sum(true_calls) OVER w AS "trueCalls",
      sum(false_cents) OVER w AS "falseCents", sum(false_calls) OVER w AS "falseCalls"
    FROM seconds WINDOW w AS (PARTITION BY event_id, round ORDER BY second)
    ORDER BY second, event_id, round`;
  return [...Map.groupBy(pools, ({ second }) => second)].map(([second, changed]) => ({
    atMs: second * 1_000,
    pools: changed.map(({ second: _second, ...pool }) => pool),
  }));
}

/** The names of the session's teams, and the number of each player's, by the player's id. */
type Teams = { names: readonly string[]; numberOf: ReadonlyMap<number, number> };

/** Folds a session's log into its leaderboard, as src/play/leaderboard ranks it. It holds the sums of each player, and no history. */
class LeadersFold {
  readonly #sums = new Map<number, PlayerSums>();
  /** Who is not ranked, and why. */
  readonly #unranked: Record<"here" | "everywhere" | "guest", Set<number>>;
  readonly #rankGuests: boolean;
  readonly #teams: Teams;
  #last = "";

  /** @param guests who was a guest before the first entry. */
  constructor(guests: readonly number[], { rankGuests, teams }: { rankGuests: boolean; teams: Teams }) {
    this.#teams = teams;
    this.#unranked = { here: new Set(), everywhere: new Set(), guest: new Set(guests) };
    this.#rankGuests = rankGuests;
  }

  /** @returns the leaderboard after these entries; null if it shows the same as before. */
  apply(entries: readonly LogEntry[]): ReplayLeaders | null {
    const changes = entries.filter((entry) => this.#applyEntry(entry));
    if (changes.length === 0) return null;
    const top = this.#top();
    const text = JSON.stringify(top);
    if (text === this.#last || (this.#last === "" && top.totalCount === 0)) return null;
    this.#last = text;
    return top;
  }

  #applyEntry(entry: LogEntry): boolean {
    switch (entry.kind) {
      case "scores":
        for (const sums of entry.scores) {
          if (sums.played === 0) this.#sums.delete(sums.userId);
          else this.#sums.set(sums.userId, sums);
        }
        return true;
      case "exclusion":
        return this.#note(entry.sessionId === null ? "everywhere" : "here", entry, entry.detail.excluded);
      case "guest":
        return this.#note("guest", entry, entry.detail.guest && !this.#rankGuests);
      case "session":
      case "event":
        return false;
    }
  }

  /** The first players, by one pass over all. One more than shown is kept, which says whether the last one is tied. */
  #top(): ReplayLeaders {
    const first: PlayerSums[] = [];
    const teams = new Map<number, TeamSums>();
    let totalCount = 0;
    for (const sums of this.#sums.values()) {
      if (!this.#isRanked(sums.userId)) continue;
      totalCount += 1;
      addToTeam(teams, this.#teams.numberOf.get(sums.userId), sums);
      const index = first.findIndex((other) => compare(sums, other) < 0);
      if (index >= 0) first.splice(index, 0, sums);
      else if (first.length <= REPLAY_LEADERS) first.push(sums);
      if (first.length > REPLAY_LEADERS + 1) first.pop();
    }
    const leaders = first.slice(0, REPLAY_LEADERS).map((sums) => present(sums, first));
    const { names } = this.#teams;
    return names.length === 0
      ? { leaders, totalCount }
      : { leaders, teams: rankTeams(names, [...teams.values()]).map(presentTeam), totalCount };
  }

  #note(why: "here" | "everywhere" | "guest", { subjectId }: LogEntry, isSo: boolean): true {
    if (isSo) this.#unranked[why].add(subjectId);
    else this.#unranked[why].delete(subjectId);
    return true;
  }

  #isRanked(userId: number): boolean {
    return !Object.values(this.#unranked).some((users) => users.has(userId));
  }
}

function addToTeam(teams: Map<number, TeamSums>, number: number | undefined, { netCents }: PlayerSums): void {
  if (number === undefined) return;
  const before = teams.get(number) ?? { number, membersCount: 0, playersCount: 0, netCents: 0 };
  const playersCount = before.playersCount + 1;
  teams.set(number, { ...before, playersCount, netCents: before.netCents + netCents });
}

function presentTeam({ number, name, rank, tied, playersCount, netCents, scoreCents }: TeamView) {
  return { number, name, rank, tied, playersCount, netCents, scoreCents };
}

/** More wins first, then fewer losses, then a higher net; equal scores by the player's id. */
function compare(one: PlayerSums, other: PlayerSums): number {
  return compareScore(one, other) || one.userId - other.userId;
}

function compareScore(one: PlayerSums, other: PlayerSums): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}

/** Equal scores share a rank: 1-2-2-4. */
function present(sums: PlayerSums, first: readonly PlayerSums[]): ReplayLeaders["leaders"][number] {
  const { userId, played, wins, losses, netCents, currentStreak, bestStreak } = sums;
  const equal = first.filter((other) => compareScore(sums, other) === 0);
  const rank = first.findIndex((other) => compareScore(sums, other) === 0) + 1;
  const pushes = played - wins - losses;
  return { userId, rank, tied: equal.length > 1, wins, losses, pushes, netCents, currentStreak, bestStreak };
}

/** What people and timers did in a session, by the audit, in order. Without the values that they changed. */
export async function readActs(
  db: Queryable,
  sessionId: number,
): Promise<{ atMs: number; act: ReplayAct }[]> {
  const rows = await db
    .select({
      id: audit.id,
      actorId: audit.actorId,
      username: users.username,
      token: accessTokens.name,
      tokenId: audit.accessTokenId,
      ...pick(audit, "action", "after", "subjectType", "subjectId", "reason"),
      at: audit.createdAt,
    })
    .from(audit)
    .leftJoin(users, eq(users.id, audit.actorId))
    .leftJoin(accessTokens, eq(accessTokens.id, audit.accessTokenId))
    .where(and(eq(audit.sessionId, sessionId), inArray(audit.subjectType, [...sessionAuditSubjects])))
    .orderBy(asc(audit.createdAt), asc(audit.id));
  return rows.map(({ id, actorId, username, token, tokenId, action, after, reason, at, ...subject }) => ({
    atMs: at.getTime(),
    act: {
      id,
      actor:
        actorId === null
          ? null
          : {
              id: actorId,
              username: username ?? "",
              token: tokenId === null ? null : (token ?? "a deleted token"),
            },
      action,
      after: v.parse(recorded, after),
      subject: { type: v.parse(subjectType, subject.subjectType), id: subject.subjectId },
      reason,
    },
  }));
}
