import * as v from "valibot";
import { batchReads, createBatcher } from "#src/base/batcher.ts";
import { countCatchUp } from "#src/base/instruments.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import {
  findStreamOffsets,
  type MissedMessages,
  readMissedAfter,
  readMissedSince,
} from "#src/base/streams/stream-offsets.ts";
import { delivery, historyAnswer, type HistoryRequest } from "./frames.ts";

// After a break all pages of a show ask at the same moment what they have missed. Most have missed nothing, and the others the same.
// Redis may be away: then all of these answer null. They do not reject, because a batch that rejects is repeated in parts.

/** More than this is not sent after a cut: reading the page's data again is cheaper. Bytes, of each stream. */
const LENGTH_MAX = 512 * 1_024;
const STREAMS_AT_ONCE = 1_000;

/** A batch that waits for Redis does not hold up the next one. */
const SLOW_MS = 50;

/** The offset of the newest message of a stream. */
const findLatest = createBatcher(STREAMS_AT_ONCE, findAll, { collects: true, slowMs: SLOW_MS });

const readShared = batchReads(
  ({ stream, after }: { stream: string; after: StreamOffset }) => `${stream} ${after.epoch} ${after.offset}`,
  async (redis: RedisClient, [{ stream, after }]) => {
    const missed = await readMissedAfter(redis, stream, { after, lengthMax: LENGTH_MAX }).catch(() => null);
    return () => missed;
  },
);

const sinceRequest = v.object({ epoch: v.nullish(v.string()), offset: v.nullish(v.number()) });

/**
 * The messages that a page has missed, for its subscription alone: all messages behind the offset in the request, in order,
 * then `{"caughtUp": offset}`. If the history does not reach back that far, only `{"gap": true, epoch, offset}`: the page
 * reads its data again and continues from there. A page without an offset asks for that alone.
 *
 * While Redis is away the gap has no epoch, so that the page reads its data now, and again with the first new message.
 */
export async function catchUp(redis: RedisClient, stream: string, request: unknown): Promise<string[]> {
  const { epoch, offset } = v.parse(sinceRequest, request);
  const known = typeof epoch === "string" && typeof offset === "number";
  const missed = known
    ? await readAfter(redis, stream, { epoch, offset })
    : nothingOf(await findLatest(redis, stream));
  if (known) countCatchUp(missed?.complete === true);
  if (missed === null) return [JSON.stringify({ gap: true, epoch: "", offset: 0 })];
  const { latest, messages, complete } = missed;
  if (!complete) return [JSON.stringify({ gap: true, ...latest })];
  return [...messages.map(({ text }) => text), JSON.stringify({ caughtUp: latest })];
}

function nothingOf(latest: StreamOffset | null): MissedMessages | null {
  return latest === null ? null : { latest, messages: [], complete: false };
}

type HistoryQuery = { identifier: string; streams: readonly string[]; request: HistoryRequest };
/** The frames of a history, and the offset in each stream up to which they have all messages. */
export type History = { frames: string[]; sentUpTo: Map<string, StreamOffset> };

/**
 * The messages that an extended client has missed, as frames: those behind the offsets in the request, or since the second
 * in the request. The last frame says whether the history was complete; if not, or if it cannot be read, it is the only one.
 */
export async function buildHistory(
  redis: RedisClient,
  { identifier, streams, request }: HistoryQuery,
): Promise<History> {
  const histories = await Promise.all(
    streams.map(async (stream) => ({ stream, missed: await readRequested(redis, stream, request) })),
  );
  const complete = histories.flatMap(({ stream, missed }) =>
    missed?.complete === true ? [{ stream, ...missed }] : [],
  );
  countCatchUp(complete.length === streams.length);
  if (complete.length < streams.length)
    return { frames: [historyAnswer(identifier, { complete: false })], sentUpTo: new Map() };
  const frames = complete.flatMap(({ stream, messages }) =>
    messages.map((message) => delivery("ext", identifier, { stream, message })),
  );
  return {
    frames: [...frames, historyAnswer(identifier, { complete: true })],
    sentUpTo: new Map(complete.map(({ stream, latest }) => [stream, latest])),
  };
}

function readRequested(
  redis: RedisClient,
  stream: string,
  { streams, since }: HistoryRequest,
): Promise<MissedMessages | null> {
  const after = streams?.[stream];
  return after === undefined ? readSince(redis, stream, since ?? 0) : readAfter(redis, stream, after);
}

async function findAll(redis: RedisClient, asked: readonly string[]): Promise<(StreamOffset | null)[]> {
  const streams = [...new Set(asked)];
  const offsets = await findStreamOffsets(redis, streams).catch(() => []);
  const byStream = new Map(streams.map((stream, index) => [stream, offsets[index]]));
  return asked.map((stream) => byStream.get(stream) ?? null);
}

async function readAfter(
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

function readSince(redis: RedisClient, stream: string, second: number): Promise<MissedMessages | null> {
  return readMissedSince(redis, stream, { second, lengthMax: LENGTH_MAX }).catch(() => null);
}
