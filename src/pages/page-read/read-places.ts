import type { Deps } from "#src/base/deps.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { findOffsetsAndCounts } from "#src/base/streams/stream-offsets.ts";
import type { Ids } from "./known-ids.ts";

/** How long pages wait for Redis. */
const ANSWER_WAIT_MS = 200;

/** What Redis says about users and sessions, by their ids. Without entries while Redis is away. */
export type Places = {
  users: ReadonlyMap<number, StreamOffset>;
  sessions: ReadonlyMap<number, { offset: StreamOffset; playersOnline: number }>;
};
const unknownPlaces: Places = { users: new Map(), sessions: new Map() };

/** The connections whose last answer is late. Pages do not wait for them again until it has come or failed. */
const late = new WeakSet<RedisClient>();

/**
 * Reads the newest offsets of the streams of these users and sessions, and who is online, in one round trip. It comes before any
 * other read of the pages: their browsers then ask for the messages after these offsets, so no change between rendering and
 * subscribing is lost. While Redis is away the offsets are unknown, and the browsers load their data again.
 */
export async function readPlaces({ redis, log }: Deps, ids: readonly Ids[]): Promise<Places> {
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
async function inTime(redis: RedisClient, answer: Promise<Found>): Promise<Found | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => {
    late.add(redis);
    const onTime = () => late.delete(redis);
    answer.then(onTime, onTime);
    resolve(null);
  }, ANSWER_WAIT_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
