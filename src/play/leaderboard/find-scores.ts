import { sql, type SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryFirst, queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { requireSeason } from "#src/play/find-season.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import type { Env } from "#src/settings/env.ts";
import { findExclusion } from "./find-exclusions.ts";
import { findPreviousRank, findRank, type Rankings, readRankings, readRankingsAt } from "./ranking-cache.ts";
import {
  type ExclusionNote,
  type LeadersAnswer,
  type LeadersQuery,
  type scoresAnswer,
  scoreSchema,
  type ScoresQuery,
  type ScoreView,
} from "./schemas.ts";
import {
  type Board,
  inScope,
  isRanked,
  type Scope,
  type ScoreSums,
  sums,
  sumsColumns,
} from "./score-conditions.ts";
import { type Season, seasonScores } from "./season-scores.ts";

/** By the ranking, null for players without a score: streaks need all results of a player, which the ranking's change alone changes. */
const sumsByRanking = new WeakMap<Rankings, Map<number, ScoreSums | null>>();
const sumsRow = v.object({ userId: wholeNumber, ...sums });

type RankDeps = Pick<Deps, "pool" | "env">;
const boardOf = ({ env }: RankDeps, { sessionId, season }: Scope): Board => ({
  sessionId,
  season,
  rankGuests: env.rankGuests,
});

/**
 * The leaders of a session or a season, and the viewer's own score at any rank. More wins rank higher, then fewer losses, then a higher
 * net; equal scores share a rank (1-2-2-4). Excluded players are left out,
 * and guests where the setting RANK_GUESTS says so.
 * @param sessionId null: all sessions together, or those of the season.
 * @param viewerId null: nobody's own score.
 */
export async function findLeaders(
  deps: RankDeps,
  { limit, viewerId, ...scope }: Scope & { limit: number; viewerId: number | null },
): Promise<LeadersAnswer> {
  const { db } = deps.pool;
  const { sessionId } = scope;
  const board = boardOf(deps, scope);
  const rankings = await readRankings(db, board);
  const leaderIds = rankings.current.playerIds(0, limit);
  const userIds = viewerId === null || leaderIds.includes(viewerId) ? leaderIds : [...leaderIds, viewerId];
  const [scores, exclusion] = await Promise.all([
    findRanked(db, { ...board, rankings, userIds }),
    viewerId === null ? null : findExclusion(db, { sessionId, userId: viewerId }),
  ]);
  return {
    leaders: inOrder(scores, leaderIds),
    me: (viewerId === null ? undefined : scores.get(viewerId)?.score) ?? null,
    exclusion,
    totalCount: rankings.current.size,
  };
}

/** The first players of a session's leaderboard, all players' number, and what these rows are recognized by. */
export type KnownLeaders = Pick<LeadersAnswer, "leaders" | "totalCount"> & {
  rankings: Rankings;
  userIds: readonly number[];
  /** What `versionOfLeaders` gives for these players while nothing about them changes. */
  version: string;
};

/** Finds the first players of a leaderboard whose version the caller has just read; see leaderboardVersion. */
export async function findKnownLeaders(
  deps: RankDeps,
  sessionId: number,
  { leaderboardVersion, limit }: { leaderboardVersion: string; limit: number },
): Promise<KnownLeaders> {
  const { db } = deps.pool;
  const board = boardOf(deps, { sessionId });
  const rankings = await readRankingsAt(db, board, leaderboardVersion);
  const leaderIds = rankings.current.playerIds(0, limit);
  const scores = await findRanked(db, { ...board, rankings, userIds: leaderIds });
  const leaders = inOrder(scores, leaderIds);
  const userIds = leaders.map(({ userId }) => userId);
  const versions = userIds.toSorted((one, other) => one - other).map((id) => scores.get(id)?.version);
  return { rankings, userIds, leaders, totalCount: rankings.current.size, version: versions.join(" ") };
}

/** One player's score with its rank among all players; null if the player has none or is not ranked. */
export async function findScore(
  deps: RankDeps,
  { userId, ...scope }: Scope & { userId: number },
): Promise<ScoreView | null> {
  const board = boardOf(deps, scope);
  const rankings = await readRankings(deps.pool.db, board);
  const scores = await findRanked(deps.pool.db, { ...board, rankings, userIds: [userId] });
  return scores.get(userId)?.score ?? null;
}

/** One page of the leaderboard in the same order, and how many players it has in all. */
export async function findScores(
  deps: RankDeps,
  { limit, offset, ...scope }: Scope & { limit: number; offset: number },
): Promise<{ scores: ScoreView[]; totalCount: number }> {
  const board = boardOf(deps, scope);
  const rankings = await readRankings(deps.pool.db, board);
  const userIds = rankings.current.playerIds(offset, limit);
  const scores = await findRanked(deps.pool.db, { ...board, rankings, userIds });
  return { scores: inOrder(scores, userIds), totalCount: rankings.current.size };
}

const firstRow = v.object({ userId: wholeNumber, username: v.string(), value: wholeNumber });

/** Who of a session's leaderboard has the most of a column `s.*`, above zero. Of equals it is who won more questions. */
function findFirst({ pool, env }: RankDeps, sessionId: number, column: SQL) {
  return queryFirst(pool.db, firstRow)`SELECT s.user_id AS "userId", u.username, ${column} AS value
  FROM scores s JOIN users u ON u.id = s.user_id
  WHERE ${inScope(sessionId)} AND ${isRanked({ sessionId, rankGuests: env.rankGuests })} AND ${column} > 0
  ORDER BY ${column} DESC, s.wins DESC, s.user_id LIMIT 1`;
}

/** The most results that a player of a session's leaderboard called in a row; null if nobody has called one. */
export async function findLongestStreak(
  deps: RankDeps,
  sessionId: number,
): Promise<{ username: string; length: number } | null> {
  const first = await findFirst(deps, sessionId, sql`s.best_streak`);
  return first === null ? null : { username: first.username, length: first.value };
}

/**
 * Who of a session's leaderboard has won the most money: ranks are made by questions, so it may be the last one. Null if nobody has
 * won any.
 */
export async function findMostWon(deps: RankDeps, sessionId: number) {
  const first = await findFirst(deps, sessionId, sql`s.net_cents`);
  return first === null ? null : { userId: first.userId, username: first.username, netCents: first.value };
}

type FoundScore = { score: ScoreView; version: string };

function inOrder(scores: FoundScores, userIds: readonly number[]): ScoreView[] {
  return userIds.flatMap((userId) => scores.get(userId)?.score ?? []);
}

const player = { userId: wholeNumber, username: v.string(), avatar: v.unknown() };
const scoreRow = v.object({ ...player, version: v.string(), ...sums });

/** In SQL: changes with every change of a score `s` and its player `u`, whose name and picture it shows. */
const versionOfScore = sql`concat(s.user_id, ':', s.xmin, ':', u.xmin)`;

/** In SQL: changes whenever anything about these players of a session changes. Both are expressions: an array of ids, an id. */
export const versionOfLeaders = (userIds: SQL, sessionId: SQL): SQL => sql`(
  SELECT coalesce(string_agg(${versionOfScore}, ' ' ORDER BY s.user_id), '') FROM scores s JOIN users u ON u.id = s.user_id
  WHERE s.user_id = ANY (${userIds}) AND s.session_id = ${sessionId})`;

/** A player's score with its rank. `player`: of the user's row. */
export function rankScore(
  rankings: Rankings,
  { sessionId, player, sums }: { sessionId: number | null; player: RankedPlayer; sums: ScoreSums },
): ScoreView {
  const ranks = { ...findRank(rankings, sums), previousRank: previousRankOf(rankings, sums) };
  return presentScore({ ...player, ...sums, ...ranks }, sessionId);
}
type RankedPlayer = v.InferOutput<v.ObjectSchema<typeof player, undefined>>;

type Selection = Board & { rankings: Rankings; userIds: readonly number[] };
type FoundScores = ReadonlyMap<number, FoundScore>;

/**
 * The scores of these players with their ranks, by player id, and maybe those of others too. Players without a score and
 * those who are not ranked are left out. All who ask for players of the same ranking at the same moment share one read.
 */
const findRanked = batchReads(
  ({ rankings }: Selection) => rankings,
  async (db: Queryable, selections) => {
    const scores = await selectScores(db, selections);
    return () => scores;
  },
);

async function selectScores(
  db: Queryable,
  selections: readonly [Selection, ...Selection[]],
): Promise<FoundScores> {
  const [{ rankings, ...board }] = selections;
  const { sessionId, season } = board;
  const userIds = [...new Set(selections.flatMap((selection) => selection.userIds))];
  if (userIds.length === 0) return new Map();
  if (season !== undefined) return selectSeasonScores(db, { ...board, season }, { rankings, userIds });
  const rows = await queryRows(db, scoreRow)`
    SELECT s.user_id AS "userId", u.username, u.avatar, ${versionOfScore} AS version, ${sumsColumns}
  FROM scores s JOIN users u ON u.id = s.user_id
    LEFT JOIN results r ON r.event_id = ${rankings.lastEventId} AND r.user_id = s.user_id
  WHERE s.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND ${inScope(sessionId)}
    AND ${isRanked(board)}`;
  return new Map(
    rows.map(({ userId, username, avatar, version, ...row }) => {
      const player = { userId, username, avatar };
      return [userId, { score: rankScore(rankings, { sessionId, player, sums: row }), version }];
    }),
  );
}

/** The same in a season. Nobody asks for the version of such a score. */
async function selectSeasonScores(
  db: Queryable,
  board: Board & { season: Season },
  { rankings, userIds }: Shown,
): Promise<FoundScores> {
  const sumsOf = await readSeasonSums(db, board.season, { rankings, userIds });
  const players = await queryRows(db, v.object(player))`SELECT s.user_id AS "userId", s.username, s.avatar
  FROM (SELECT id AS user_id, username, avatar FROM users) s
  WHERE s.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND ${isRanked(board)}`;
  return new Map(
    players.flatMap((player): [number, FoundScore][] => {
      const sums = sumsOf.get(player.userId) ?? null;
      if (sums === null) return [];
      return [
        [player.userId, { score: rankScore(rankings, { sessionId: null, player, sums }), version: "" }],
      ];
    }),
  );
}

/** The player's rank before the leaderboard's last event; null if the player had no score then. */
function previousRankOf(rankings: Rankings, row: ScoreSums): number | null {
  const net = row.lastNetCents;
  if (net === null) return findPreviousRank(rankings, row);
  if (row.played <= 1) return null;
  return findPreviousRank(rankings, {
    wins: row.wins - (net > 0 ? 1 : 0),
    losses: row.losses - (net < 0 ? 1 : 0),
    netCents: row.netCents - net,
  });
}

/** The players to show, and the ranking that has their ranks. */
type Shown = { rankings: Rankings; userIds: readonly number[] };

/** The sums of these players in a season, and maybe those of others too. */
async function readSeasonSums(
  db: Queryable,
  season: Season,
  { rankings, userIds }: Shown,
): Promise<ReadonlyMap<number, ScoreSums | null>> {
  const known = sumsByRanking.get(rankings) ?? new Map<number, ScoreSums | null>();
  sumsByRanking.set(rankings, known);
  const unknown = userIds.filter((userId) => !known.has(userId));
  if (unknown.length === 0) return known;
  const rows = await queryRows(db, sumsRow)`WITH ${seasonScores(season, unknown)}
  SELECT s.user_id AS "userId", ${sumsColumns} FROM expected_scores s
    LEFT JOIN results r ON r.event_id = ${rankings.lastEventId} AND r.user_id = s.user_id`;
  for (const userId of unknown) known.set(userId, null);
  for (const { userId, ...row } of rows) known.set(userId, row);
  return known;
}

/** One player's row of the leaderboard. `avatar`: the user's column, not presented yet. */
type ScoreRow = RankedPlayer &
  Omit<ScoreSums, "lastNetCents"> & {
    rank: number;
    sharedBy: number;
    /** Before the leaderboard's last event; null if the player had no score then. */
    previousRank: number | null;
  };

export function presentScore(row: ScoreRow, sessionId: number | null): ScoreView {
  const decided = row.wins + row.losses;
  return present(scoreSchema, {
    ...row,
    id: row.userId,
    avatar: presentAvatar(row.avatar),
    sessionId,
    pushes: row.played - decided,
    roi: row.wageredCents === 0 ? null : row.netCents / row.wageredCents,
    accuracy: decided === 0 ? null : row.wins / decided,
    tied: row.sharedBy > 1,
    rankChange: row.previousRank === null ? null : row.previousRank - row.rank,
  });
}

export async function listScores(
  deps: Pick<Deps, "pool" | "env">,
  { viewer, query, page }: { viewer: Pick<Viewer, "id" | "roles">; query: ScoresQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof scoresAnswer>> {
  const { db } = deps.pool;
  const scope = await requireScope(db, query, viewer);
  if (query.userId !== undefined) {
    const score = await findScore(deps, { ...scope, userId: query.userId });
    if (score === null) await requireUser(db, query.userId);
    const scores = score === null ? [] : [score];
    return { scores, meta: listMeta(page, scores.length, now) };
  }
  const range = { limit: page.perPage, offset: page.offset };
  const { scores, totalCount } = await findScores(deps, { ...scope, ...range });
  return { scores, meta: listMeta(page, totalCount, now) };
}

/** How a request names a leaderboard: by a session, by a season, or by neither for that of all time. */
type BoardName = { sessionId?: string | undefined; seasonId?: string | undefined };

async function requireScope(
  db: Queryable,
  { sessionId, seasonId }: BoardName,
  viewer: Pick<Viewer, "id" | "roles">,
): Promise<Scope> {
  if (seasonId === undefined) return { sessionId: (await requireSessionId(db, sessionId, viewer)) ?? null };
  if (sessionId !== undefined) throw invalid({ seasonId: ["can't be combined with a session"] });
  return { sessionId: null, season: await requireSeason(db, seasonId) };
}

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** The answer of listLeaders that was read together with the sign-in; null for one that was not. */
    knownLeaders?: (query: LeadersQuery) => Promise<LeadersAnswer | null>;
  }
}

export async function listLeaders(
  deps: Pick<Deps, "pool" | "env">,
  viewer: Pick<Viewer, "id" | "roles" | "guest">,
  { limit, ...name }: LeadersQuery,
): Promise<LeadersAnswer> {
  const scope = await requireScope(deps.pool.db, name, viewer);
  const answer = await findLeaders(deps, { ...scope, limit, viewerId: viewer.id });
  return { ...answer, exclusion: answer.exclusion ?? noteForGuests(deps.env, viewer) };
}

/** Why a guest is not ranked, where the setting RANK_GUESTS is off; null for others. It is shown like an exclusion. */
export function noteForGuests(
  { rankGuests }: Pick<Env, "rankGuests">,
  { guest }: { guest: boolean },
): ExclusionNote | null {
  if (rankGuests || !guest) return null;
  return {
    sessionId: null,
    reason: "Guests get a rank with an account. Create yours: what you have won counts.",
  };
}
