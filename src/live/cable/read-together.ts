import { createBatcher } from "#src/base/batcher.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { shareReads } from "#src/base/share-reads.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { type MissedMessages, readMissedAfter, readMissedSince } from "#src/base/streams/read-missed.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";

// After a break all pages of a show ask at the same moment what they have missed. Most have missed nothing, and the others the same.
// Redis may be away: then all of these answer null. They do not reject, because a batch that rejects is repeated in parts.

/** More than this is not sent after a cut: reading the page's data again is cheaper. Bytes, of each stream. */
const LENGTH_MAX = 512 * 1_024;
const STREAMS_AT_ONCE = 1_000;
/** A batch that waits for Redis does not hold up the next one. */
const SLOW_MS = 50;

/** The offset of the newest message of a stream. */
export function findLatest(redis: RedisClient, stream: string): Promise<StreamOffset | null> {
  return findInBatch(redis, stream);
}

const findInBatch = createBatcher(STREAMS_AT_ONCE, findAll, { collects: true, slowMs: SLOW_MS });

async function findAll(redis: RedisClient, asked: readonly string[]): Promise<(StreamOffset | null)[]> {
  const streams = [...new Set(asked)];
  const offsets = await findStreamOffsets(redis, streams).catch(() => []);
  const byStream = new Map(streams.map((stream, index) => [stream, offsets[index]]));
  return asked.map((stream) => byStream.get(stream) ?? null);
}

/** The messages of a stream behind an offset. */
export async function readAfter(
  redis: RedisClient,
  stream: string,
  after: StreamOffset,
): Promise<MissedMessages | null> {
  const latest = await findLatest(redis, stream);
  if (latest === null) return null;
  const isSameEpoch = latest.epoch === after.epoch;
  if (isSameEpoch && latest.offset > after.offset) return readShared(redis, { stream, after });
  return { latest, messages: [], complete: isSameEpoch && latest.offset === after.offset };
}

const readShared = shareReads(
  ({ stream, after }: { stream: string; after: StreamOffset }) => `${stream} ${after.epoch} ${after.offset}`,
  async (redis: RedisClient, [{ stream, after }]) => {
    const missed = await readMissedAfter(redis, stream, { after, lengthMax: LENGTH_MAX }).catch(() => null);
    return () => missed;
  },
);

/** The messages of a stream since a Unix second. */
export function readSince(
  redis: RedisClient,
  stream: string,
  second: number,
): Promise<MissedMessages | null> {
  return readMissedSince(redis, stream, { second, lengthMax: LENGTH_MAX }).catch(() => null);
}
