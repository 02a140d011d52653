import { writeIntegerArray, writeTextArray } from "#db/ledger/write-array.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { KnownLeaders } from "#src/play/leaderboard/find-scores.ts";
import type { BeginList } from "./begin-list.ts";
import type { Ids } from "./known-ids.ts";
import type { ActiveSession, PageReadRow, SeenSession } from "./page-read-row.ts";
import { askPageReads } from "./page-read-statement.ts";
import { type Places, readPlaces } from "./read-places.ts";
import { snapshotOf } from "./session-snapshot.ts";

const BATCH_MAX = 64;
/** A batch that waits for a lock does not hold up other pages. Large batches cost the least, so others do. */
const SLOW_MS = 50;
/** The next requests are received between two turns. */
const PAGES_PER_TURN = 2;
/**
 * Rendering so many pages takes about as long as reading them. The next batch runs during that time: otherwise the process and Postgres
 * would wait for each other.
 */
const PAGES_BESIDE_READ = 8;

/** A request as the statement needs it. */
export type Asked = Ids & { signInId: string | null; parts: Parts; beginList: BeginList | null };

/** What a request needs beside its sign-in and the row of its session. */
export type Parts = {
  /** The offsets of the streams, and how many players are online. */
  places: boolean;
  /** The published events, and the viewer's calls. */
  events: boolean;
  /** The leaders, and the viewer's score. */
  leaders: boolean;
};

/** What the statement has read for a request. */
export type ReadAnswer = {
  row: PageReadRow;
  active: ActiveSession | null;
  /** The offset of the user's stream; null if it is unknown. */
  userOffset: StreamOffset | null;
  /** Null if the request names no session, or if the session does not exist. */
  session: AnsweredSession | null;
};
export type AnsweredSession = {
  seen: SeenSession;
  /** Null if it is unknown. */
  offset: StreamOffset | null;
  playersOnline: number;
  /** The event whose results the viewer's own score is compared with; null: none. */
  lastEventId: number | null;
};

/** Requests of each statement are asked on their own, so that none waits for a table that it does not need. */
const batchers = { frame: batcherOf("frame"), session: batcherOf("session"), game: batcherOf("game") };

function batcherOf(kind: keyof typeof askPageReads) {
  const ask = (deps: Deps, asked: readonly Asked[]) => askTogether(deps, asked, askPageReads[kind]);
  return createBatcher(BATCH_MAX, ask, {
    slowMs: SLOW_MS,
    collects: true,
    answersPerTurn: PAGES_PER_TURN,
    overlap: PAGES_BESIDE_READ,
    name: "read pages",
  });
}

/**
 * Reads the sign-in, the viewer and the session of a request. Requests of the same moment share one round trip to Redis and
 * one statement.
 */
export function readInBatch(deps: Deps, asked: Asked): Promise<ReadAnswer> {
  const { sessionId, parts } = asked;
  const withSession = sessionId === null ? "frame" : "session";
  return batchers[parts.events || parts.leaders ? "game" : withSession](deps, asked);
}

type Statement = (typeof askPageReads)[keyof typeof askPageReads];

async function askTogether(
  deps: Deps,
  asked: readonly Asked[],
  ask: Statement,
): Promise<readonly ReadAnswer[]> {
  const ofPlaces = asked.filter(({ parts }) => parts.places);
  const places = await readPlaces(deps, ofPlaces);
  // At the same time as the statement, and like it not before the offsets are known.
  for (const { userId, beginList } of asked) if (userId !== null) beginList?.(userId);
  const known = new Map<number, KnownLeaders | null>(
    asked.flatMap(({ sessionId }) => (sessionId === null ? [] : [[sessionId, null]])),
  );
  for (const id of known.keys()) known.set(id, snapshotOf(deps, id).leaders);
  const rows = await ask(deps.pool, {
    signInIds: writeTextArray(asked.map(({ signInId }) => signInId)),
    sessionIds: writeIntegerArray(asked.map(({ sessionId }) => sessionId)),
    knownIds: writeIntegerArray([...known.keys()]),
    lastEventIds: writeIntegerArray([...known.values()].map(lastEventIn)),
    leaders: writeTextArray([...known.values()].map((leaders) => writeIntegerArray(leaders?.userIds ?? []))),
  });
  const active = rows[0]?.active ?? null;
  const seenById = new Map((rows[0]?.sessions ?? []).map((seen) => [seen.id, seen]));
  return rows.map((row, index) => {
    const { userId = null, sessionId = null } = asked[index] ?? {};
    const seen = sessionId === null ? undefined : seenById.get(sessionId);
    return {
      row,
      active,
      userOffset: userId === null ? null : (places.users.get(userId) ?? null),
      session: seen === undefined ? null : answeredSession(seen, places, lastEventIn(known.get(seen.id))),
    };
  });
}

/** The last event of a leaderboard; null: none, or the leaderboard is not known. */
function lastEventIn(leaders: KnownLeaders | null | undefined): number | null {
  return leaders?.rankings.lastEventId ?? null;
}

function answeredSession(seen: SeenSession, places: Places, lastEventId: number | null): AnsweredSession {
  const place = places.sessions.get(seen.id);
  return { seen, offset: place?.offset ?? null, playersOnline: place?.playersOnline ?? 0, lastEventId };
}
