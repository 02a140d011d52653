import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow, queryValue, wholeNumber } from "#db/ledger/query.ts";
import { serverStart } from "#db/server-start.ts";
import { batchReads } from "#src/base/batcher.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import { type Board, inScope, isRanked } from "./score-conditions.ts";
import { decidedIn, seasonSums } from "./season-scores.ts";

/*
 * A leaderboard's ranking is read once per change and cached by each process.
 *
 * A rank, the number of players who share it and the number of players all need the whole leaderboard. Computing them for
 * every viewer grows with the leaderboard: the count alone takes 18 ms at 100,000 players. So each process caches the order
 * of a leaderboard, 24 bytes per player, as the database packs it from the index, and finds a rank by binary search. A
 * viewer's request then reads only the leaderboard's version and the rows to show: 0.6 ms at 1,000 players and at 100,000.
 * Each settlement inserts a row into `leaderboard_changes`; inserts never wait for each other. A large leaderboard may be
 * stale for ten times as long as it takes to read, so that viewers do not slow down a settlement that is paid in parts.
 */

/** The most leaderboards in the cache; the least recently used is evicted first. */
const CACHED_MAX = 50;
/** With more players a leaderboard may be stale, so that at most a tenth of the time is spent reading it. */
const LARGE_PLAYERS_MIN = 5_000;
const STALE_FACTOR = 10;

/** The ranking of one leaderboard: a session's, a season's, or that of all sessions. */
export type Rankings = {
  current: PackedRanking;
  /** The event that was resolved last; null if none was. */
  lastEventId: number | null;
  /** The players of that event, with their scores of now. */
  afterLastEvent: PackedRanking;
  /** The same players with their scores before it; without those who had no score then. */
  beforeLastEvent: PackedRanking;
};

type CacheEntry = {
  version: string;
  startedMs: number;
  /** How long it may be used after the leaderboard has changed. */
  maxStaleMs: number;
  rankings: Promise<Rankings>;
};
/** By the database, whose processes all have the same settings. */
const caches = boundedMaps<CacheKey, CacheEntry>(CACHED_MAX);
/** A session's id, a season with its dates, or null for all sessions. */
type CacheKey = number | string | null;

/** A row as the database packs it, big-endian: wins, losses (int4), net, player id (int8). See ranking-cache.ts. */
const ROW_BYTES = 24;
const LOSSES_AT = 4;
const NET_AT = 8;
const PLAYER_AT = 16;

function keyOf({ sessionId, season }: Board): CacheKey {
  return season === undefined
    ? sessionId
    : `${season.id} ${season.startsAt.getTime()} ${season.endsAt.getTime()}`;
}

/**
 * The ranking of a leaderboard, from the cache unless it has changed. With over 5,000 players it may be stale for ten times
 * as long as it takes to read.
 */
export async function readRankings(db: Queryable, board: Board): Promise<Rankings> {
  return readRankingsAt(db, board, await findLeaderboardVersion(db, board.sessionId));
}

/** The same for a caller who has just read the leaderboard's version; see leaderboardVersion. */
export async function readRankingsAt(db: Queryable, board: Board, version: string): Promise<Rankings> {
  const key = keyOf(board);
  const cache = caches(db);
  const cached = cache.get(key);
  const entry = cached !== undefined && isUsable(cached, version) ? cached : startRead(db, board, version);
  // Set again, so that the least recently used makes way.
  cache.set(key, entry);
  try {
    return await entry.rankings;
  } catch (error) {
    if (cache.get(key) === entry) cache.delete(key);
    throw error;
  }
}

/** The rank of a score (the best is 1), and how many players share it. */
export function findRank({ current }: Rankings, key: RankKey): { rank: number; sharedBy: number } {
  return { rank: current.countAbove(key) + 1, sharedBy: current.countEqual(key) };
}

/** The rank of a score before the last event: the event's players count with their scores from before it. */
export function findPreviousRank(
  { current, afterLastEvent, beforeLastEvent }: Rankings,
  key: RankKey,
): number {
  const unchangedAbove = current.countAbove(key) - afterLastEvent.countAbove(key);
  return unchangedAbove + beforeLastEvent.countAbove(key) + 1;
}

function isUsable({ version, startedMs, maxStaleMs }: CacheEntry, newestVersion: string): boolean {
  return version === newestVersion || performance.now() - startedMs < maxStaleMs;
}

function startRead(db: Queryable, board: Board, version: string): CacheEntry {
  const startedMs = performance.now();
  const entry: CacheEntry = { version, startedMs, maxStaleMs: 0, rankings: selectRankings(db, board) };
  entry.rankings.then(
    ({ current }) => {
      if (current.size > LARGE_PLAYERS_MIN) entry.maxStaleMs = (performance.now() - startedMs) * STALE_FACTOR;
    },
    () => undefined,
  );
  return entry;
}

const packed = v.nullable(v.instance(Uint8Array));
const rankingsRow = v.object({
  current: packed,
  lastEventId: v.nullable(wholeNumber),
  afterLastEvent: packed,
  beforeLastEvent: packed,
});

/** Reads rows packed by the database in index order: parsing a million objects would block this process for seconds. */
async function selectRankings(db: Queryable, board: Board): Promise<Rankings> {
  const { counted, ranked } = readingOf(board);
  const { current, lastEventId, afterLastEvent, beforeLastEvent } = await queryRow(db, rankingsRow)`
  WITH last AS (
    SELECT event_id FROM results r WHERE ${counted} ORDER BY resolved_at DESC, event_id DESC LIMIT 1
  ),
  ${ranked},
  last_players AS MATERIALIZED (
    SELECT s.user_id, s.wins, s.losses, s.net_cents, s.played > 1 AS ranked_before,
      s.wins - (r.net_cents > 0)::int AS wins_before, s.losses - (r.net_cents < 0)::int AS losses_before,
      s.net_cents - r.net_cents AS net_before
    FROM results r JOIN ranked s ON s.user_id = r.user_id WHERE r.event_id = (SELECT event_id FROM last)
  )
  SELECT
    (SELECT string_agg(int4send(wins) || int4send(losses) || int8send(net_cents) || int8send(user_id), ''::bytea
      ORDER BY session_id, wins DESC, losses, net_cents DESC, user_id) FROM ranked) AS current,
    (SELECT event_id FROM last) AS "lastEventId",
    (SELECT string_agg(int4send(wins) || int4send(losses) || int8send(net_cents) || int8send(user_id), ''::bytea
      ORDER BY wins DESC, losses, net_cents DESC) FROM last_players) AS "afterLastEvent",
    (SELECT string_agg(int4send(wins_before) || int4send(losses_before) || int8send(net_before) || int8send(user_id),
      ''::bytea ORDER BY wins_before DESC, losses_before, net_before DESC) FROM last_players WHERE ranked_before)
      AS "beforeLastEvent"`;
  return {
    current: unpack(current),
    lastEventId,
    afterLastEvent: unpack(afterLastEvent),
    beforeLastEvent: unpack(beforeLastEvent),
  };
}

/** In SQL: which results `r` count, and the relation `ranked` of the scores, for a WITH clause. */
function readingOf(board: Board): { counted: SQL; ranked: SQL } {
  const { sessionId, season } = board;
  if (season !== undefined) {
    const sums = sql`SELECT s.* FROM ${seasonSums(season)} s WHERE ${isRanked(board)}`;
    return { counted: decidedIn(season), ranked: sql`ranked AS MATERIALIZED (${sums})` };
  }
  // Read where it is used, so that the index of the order gives the order.
  const stored = sql`SELECT s.* FROM scores s WHERE ${inScope(sessionId)} AND ${isRanked(board)}`;
  const counted = sessionId === null ? sql`TRUE` : sql`r.session_id = ${sessionId}`;
  return { counted, ranked: sql`ranked AS NOT MATERIALIZED (${stored})` };
}

function unpack(rows: Uint8Array | null): PackedRanking {
  return new PackedRanking(rows ?? new Uint8Array());
}

/** A change may commit after changes with higher ids, so the highest id alone would miss it. */
const CHANGES_READ = 100;

/**
 * In SQL: a text that differs after every change of a leaderboard. A session's is changed by its own changes and by those of all
 * sessions; each has its part of the index `leaderboard_changes_session`.
 * @param sessionId an expression; null: the leaderboard of all sessions, which every change affects.
 */
export function leaderboardVersion(sessionId: SQL | null): SQL {
  const newest = (where: SQL) =>
    sql`(SELECT id FROM leaderboard_changes WHERE ${where} ORDER BY id DESC LIMIT ${sql.raw(String(CHANGES_READ))})`;
  const changes =
    sessionId === null
      ? newest(sql`TRUE`)
      : sql`${newest(sql`session_id = ${sessionId}`)} UNION ALL ${newest(sql`session_id IS NULL`)}`;
  return sql`(SELECT concat(${serverStart}, '-', max(id), '-', sum(id)) FROM (${changes}) AS changes)`;
}

/** The version of a leaderboard; null: that of all sessions. All who ask at the same moment share one read of it. */
const findLeaderboardVersion = batchReads(
  (sessionId: number | null) => sessionId,
  async (db: Queryable, [sessionId]) => {
    const current = leaderboardVersion(sessionId === null ? null : sql`${sessionId}`);
    const version = await queryValue(db, v.string())`SELECT ${current}`;
    return () => version;
  },
);

/** What a rank depends on. More wins rank higher, then fewer losses, then a higher net. */
type RankKey = { wins: number; losses: number; netCents: number };

/** The players of a leaderboard in order, 24 bytes each. A rank is found by binary search. */
class PackedRanking {
  readonly size: number;
  readonly #rows: DataView;

  /** @param packed rows in order, the best first. */
  constructor(packed: Uint8Array) {
    this.#rows = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    this.size = packed.byteLength / ROW_BYTES;
  }

  countAbove(key: RankKey): number {
    return this.#search((row) => compare(row, key) < 0);
  }

  countEqual(key: RankKey): number {
    return this.#search((row) => compare(row, key) <= 0) - this.countAbove(key);
  }

  /**
   * The ids of players in order, the best first.
   * @param offset of the first; 0 is the best player.
   */
  playerIds(offset: number, limit: number): number[] {
    const count = Math.max(0, Math.min(limit, this.size - offset));
    return Array.from({ length: count }, (_, index) =>
      Number(this.#rows.getBigInt64((offset + index) * ROW_BYTES + PLAYER_AT)),
    );
  }

  /** The index of the first row for which `isBefore` does not hold. */
  #search(isBefore: (row: RankKey) => boolean): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#keyOf(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keyOf(row: number): RankKey {
    const start = row * ROW_BYTES;
    return {
      wins: this.#rows.getInt32(start),
      losses: this.#rows.getInt32(start + LOSSES_AT),
      netCents: Number(this.#rows.getBigInt64(start + NET_AT)),
    };
  }
}

/** Negative if the first ranks higher. */
function compare(one: RankKey, other: RankKey): number {
  return other.wins - one.wins || one.losses - other.losses || other.netCents - one.netCents;
}
