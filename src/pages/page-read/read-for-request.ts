import { sql } from "drizzle-orm";
import { writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import { prepareStatement } from "#db/prepare-statement.ts";
import { createBatcher } from "#src/base/batcher.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import type { Deps } from "#src/base/deps.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { findOffsetsAndCounts } from "#src/base/streams/stream-offsets.ts";
import { within } from "#src/base/within.ts";
import { knownSignIn, acceptSignIn, type FoundSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { isAdmin, viewerIn } from "#src/people/sign-ins/viewer.ts";
import type { SessionKey } from "#src/play/find-session-id.ts";
import type { KnownLeaders } from "#src/play/leaderboard/find-scores.ts";
import { canWatch } from "#src/show/sessions/require-watcher.ts";
import type { BeginList } from "./begin-list.ts";
import type { ActiveSession, PageReadRow, SeenSession, SignedInRow } from "./page-read-row.ts";
import { askPageReads } from "./page-read-statement.ts";
import { snapshotOf, type SharedParts } from "./session-snapshot.ts";

/** A session that changes faster than it is loaded is left to queries. */
const ATTEMPTS_MAX = 3;

type Wanted = Named & { parts: Parts; beginList: BeginList | null };

/** The row of a valid sign-in, and whether its user runs the session. */
type OwnRow = SignedInRow & { admin: boolean };

/** What was read for a request: for a page, or for a read of a session over the API. */
export type PageRead = {
  wanted: Wanted;
  answer: ReadAnswer;
  /** The sign-in of the cookie, valid or not; null if there is none or if it was ended. */
  signIn: FoundSignIn | null;
  /** The row of a valid sign-in; null for everybody else. */
  own: OwnRow | null;
  /** The parts of the snapshot that were asked for, of the same moment as `own`; null: they are left to queries. */
  shared: SharedParts | null;
};

/**
 * Reads all that a request needs: usually one round trip to Redis, then one statement. Where the session has changed since this
 * process has loaded it, its snapshot is loaded and the statement is repeated, so that everything in the answer is of one moment.
 * Rejects while the database is away.
 */
export async function readForRequest(deps: Deps, wanted: Wanted): Promise<PageRead> {
  for (let attempts = 1; ; attempts += 1) {
    const read = await readOnce(deps, wanted);
    // Signed-out viewers see no leaders.
    const parts = { events: wanted.parts.events, leaders: wanted.parts.leaders && read.own !== null };
    const shown = parts.events || parts.leaders ? shownTo(read) : null;
    if (shown === null) return { ...read, shared: null };
    const snapshot = snapshotOf(deps, shown.seen.id);
    const shared = snapshot.parts(shown, parts);
    if (shared !== null || attempts === ATTEMPTS_MAX) return { ...read, shared };
    await snapshot.load(deps, shown.seen, parts);
  }
}

type ReadOnce = Omit<PageRead, "shared">;

async function readOnce(deps: Deps, wanted: Wanted): Promise<ReadOnce> {
  const answer = await ask(deps, wanted);
  const { row } = answer;
  if (row.signInId === null) return { wanted, answer, signIn: null, own: null };
  const signIn = acceptSignIn(deps, row, viewerIn(row));
  const { viewer } = signIn;
  const { session } = answer;
  const own = { ...row, admin: session === null ? isAdmin(viewer) : can(viewer, "run", session.seen) };
  return { wanted, answer, signIn, own: signIn.invalidReason === null ? own : null };
}

/** A slug whose session was deleted is looked up again: another session may have it now. */
async function ask(deps: Deps, wanted: Wanted): Promise<ReadAnswer> {
  const { signInId, key, parts, beginList } = wanted;
  const askNow = async () =>
    readInBatch(deps, { ...(await findIds(deps, wanted)), signInId, parts, beginList });
  const answer = await askNow();
  const wasKnown = answer.session === null && typeof key === "string" && known(deps.pool).delete(key);
  return wasKnown ? askNow() : answer;
}

/** The session whose snapshot the viewer may read: admins also see plans, and signed-out viewers only live sessions. */
function shownTo({ own, answer: { session } }: ReadOnce): AnsweredSession | null {
  if (session === null || own?.admin === true) return null;
  return canWatch(own, session.seen) ? session : null;
}

const ANSWER_WAIT_MS = 200;

const unknownPlaces: Places = { users: new Map(), sessions: new Map() };

/** The connections whose last answer is late. Pages do not wait for them again until it has come or failed. */
const late = new WeakSet<RedisClient>();

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

type Asked = Ids & { signInId: string | null; parts: Parts; beginList: BeginList | null };

/** What a request needs beside its sign-in and the row of its session. */
type Parts = {
  /** The offsets of the streams, and how many players are online. */
  places: boolean;
  /** The published events, and the viewer's calls. */
  events: boolean;
  /** The leaders, and the viewer's score. */
  leaders: boolean;
};

type ReadAnswer = {
  row: PageReadRow;
  active: ActiveSession | null;
  /** The names of what is turned off. */
  off: readonly string[];
  /** The offset of the user's stream; null if it is unknown. */
  userOffset: StreamOffset | null;
  /** Null if the request names no session, or if the session does not exist. */
  session: AnsweredSession | null;
};
type AnsweredSession = {
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
function readInBatch(deps: Deps, asked: Asked): Promise<ReadAnswer> {
  const { sessionId, parts } = asked;
  const withSession = sessionId === null ? "frame" : "session";
  return batchers[parts.events || parts.leaders ? "game" : withSession](deps, asked);
}

async function askTogether(
  deps: Deps,
  asked: readonly Asked[],
  ask: (typeof askPageReads)[keyof typeof askPageReads],
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
  const off = rows[0]?.off ?? [];
  const seenById = new Map((rows[0]?.sessions ?? []).map((seen) => [seen.id, seen]));
  return rows.map((row, index) => {
    const { userId = null, sessionId = null } = asked[index] ?? {};
    const seen = sessionId === null ? undefined : seenById.get(sessionId);
    return {
      row,
      active,
      off,
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

/** What Redis says about users and sessions, by their ids. Without entries while Redis is away. */
type Places = {
  users: ReadonlyMap<number, StreamOffset>;
  sessions: ReadonlyMap<number, { offset: StreamOffset; playersOnline: number }>;
};

/**
 * Reads the newest offsets of the streams of these users and sessions, and who is online, in one round trip. It comes before any
 * other read of the pages: their browsers then ask for the messages after these offsets, so no change between rendering and
 * subscribing is lost. While Redis is away the offsets are unknown, and the browsers load their data again.
 */
async function readPlaces({ redis, log }: Deps, ids: readonly Ids[]): Promise<Places> {
  const userIds = distinct(ids.map(({ userId }) => userId));
  const sessionIds = distinct(ids.map(({ sessionId }) => sessionId));
  if (late.has(redis) || userIds.length + sessionIds.length === 0) return unknownPlaces;
  const streams = [...userIds.map(userStream), ...sessionIds.map(sessionStream)];
  try {
    const found = await inTime(redis, findOffsetsAndCounts(redis, streams, sessionIds));
    return found === null ? unknownPlaces : placesFrom(found, userIds, sessionIds);
  } catch (error) {
    log.debug({ err: error }, "could not find the stream offsets of pages");
    return unknownPlaces;
  }
}

type Found = Awaited<ReturnType<typeof findOffsetsAndCounts>>;

function placesFrom(
  { offsets, counts }: Found,
  userIds: readonly number[],
  sessionIds: readonly number[],
): Places {
  const ofUsers = userIds.flatMap((id, index) => {
    const offset = offsets[index];
    return offset === undefined ? [] : [[id, offset] as const];
  });
  const ofSessions = sessionIds.flatMap((id, index) => {
    const offset = offsets[userIds.length + index];
    return offset === undefined ? [] : [[id, { offset, playersOnline: counts[index] ?? 0 }] as const];
  });
  return { users: new Map(ofUsers), sessions: new Map(ofSessions) };
}

function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

/** Null if the answer does not come in time. */
function inTime(redis: RedisClient, answer: Promise<Found>): Promise<Found | null> {
  return within(ANSWER_WAIT_MS, answer, () => {
    late.add(redis);
    const onTime = () => late.delete(redis);
    answer.then(onTime, onTime);
    return Promise.resolve(null);
  });
}

/*
 * The streams of a page are named by the ids of its user and its session, and their offsets are read before anything else. So a
 * process remembers these ids: the user of a sign-in and the id behind a slug never change. Whether the sign-in is still valid and the
 * session still exists is read for each page.
 */

const SLUGS_MAX = 1_000;
const LOOKUP_BATCH_MAX = 256;

type Named = { signInId: string | null; key: SessionKey | null };
type Ids = { userId: number | null; sessionId: number | null };

/** The ids of sessions by their slugs. */
const known = boundedMaps<string, number>(SLUGS_MAX);

/** The ids behind names; null for those that do not exist. Only unknown names are looked up. */
async function findIds(deps: Deps, { signInId, key }: Named): Promise<Ids> {
  const sessions = known(deps.pool);
  const slug = typeof key === "string" ? key : null;
  const userId = signInId === null ? null : knownSignIn(deps, signInId)?.viewer.id;
  const sessionId = typeof key === "string" ? sessions.get(key) : key;
  if (userId !== undefined && sessionId !== undefined) return { userId, sessionId };
  const found = await lookUp(deps, { signInId, slug });
  if (slug !== null && found.sessionId !== null) sessions.set(slug, found.sessionId);
  return { userId: userId ?? found.userId, sessionId: sessionId ?? found.sessionId };
}

type Unknown = { signInId: string | null; slug: string | null };

const selectIds = prepareStatement<Ids, { signInIds: string; slugs: string }>(sql`
  SELECT (SELECT user_id::float8 FROM sign_ins WHERE id = named.sign_in_id) AS "userId",
    (SELECT id::float8 FROM sessions WHERE slug = named.slug) AS "sessionId"
  FROM unnest(${sql.placeholder("signInIds")}::uuid[], ${sql.placeholder("slugs")}::text[]) WITH ORDINALITY
    AS named(sign_in_id, slug, number)
  ORDER BY named.number`);

const lookUp = createBatcher(LOOKUP_BATCH_MAX, ({ pool }: Deps, names: readonly Unknown[]) =>
  selectIds(pool, {
    signInIds: writeTextArray(names.map(({ signInId }) => signInId)),
    slugs: writeTextArray(names.map(({ slug }) => slug)),
  }),
);
