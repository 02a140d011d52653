import * as v from "valibot";
import { countCatchUp } from "#src/base/instruments.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { MissedMessages } from "#src/base/streams/read-missed.ts";
import { delivery, historyAnswer } from "./frames.ts";
import type { HistoryRequest } from "./parse-command.ts";
import { findLatest, readAfter, readSince } from "./read-together.ts";

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
