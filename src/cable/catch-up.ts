import type { Redis } from "ioredis";
import * as v from "valibot";
import { HISTORY_S, type HistoryMessage, readHistory } from "#src/streams/stream-offsets.ts";
import { delivery, historyAnswer } from "./frames.ts";
import type { HistoryRequest } from "./parse-command.ts";

/** More than this is not sent after a cut: reading the page's data again is cheaper. Characters. */
const CAUGHT_UP_MAX = 512 * 1_024;

const sinceRequest = v.object({ epoch: v.nullish(v.string()), offset: v.nullish(v.number()) });

/**
 * The messages that a page has missed, for its subscription alone: all messages behind the offset in the request, in order,
 * then `{"caughtUp": offset}`. If the history does not reach back that far, only `{"gap": true, epoch, offset}`: the page
 * reads its data again and continues from there.
 *
 * While Redis is away the gap has no epoch, so that the page reads its data now, and again with the first new message.
 */
export async function catchUp(redis: Redis, stream: string, request: unknown): Promise<string[]> {
  const { epoch, offset } = v.parse(sinceRequest, request);
  const after = typeof epoch === "string" && typeof offset === "number" ? { epoch, offset } : null;
  const history = await readHistory(redis, stream, after).catch(() => null);
  if (history === null) return [JSON.stringify({ gap: true, epoch: "", offset: 0 })];
  const { latest, messages, gap } = history;
  const length = messages.reduce((sum, { text }) => sum + text.length, 0);
  if (gap || length > CAUGHT_UP_MAX) return [JSON.stringify({ gap: true, ...latest })];
  return [...messages.map(({ text }) => text), JSON.stringify({ caughtUp: latest })];
}

type HistoryQuery = { identifier: string; streams: readonly string[]; request: HistoryRequest };

/**
 * The messages that an extended client has missed, as frames: those behind the offsets in the request, or since the second
 * in the request. The last frame says whether the history was complete; if not, it is the only one.
 */
export async function buildHistoryFrames(
  redis: Redis,
  { identifier, streams, request }: HistoryQuery,
): Promise<string[]> {
  const histories = await Promise.all(streams.map((stream) => readMissed(redis, stream, request)));
  const complete = histories.every((history) => history.complete);
  const frames = histories.flatMap(({ stream, messages }) =>
    messages.map((message) => delivery("ext", identifier, { stream, message })),
  );
  return [...(complete ? frames : []), historyAnswer(identifier, { complete })];
}

type MissedMessages = { stream: string; messages: HistoryMessage[]; complete: boolean };

async function readMissed(redis: Redis, stream: string, request: HistoryRequest): Promise<MissedMessages> {
  const after = request.streams?.[stream] ?? null;
  const { latest, messages, gap } = await readHistory(redis, stream, after);
  if (after !== null) return { stream, messages, complete: !gap };
  const sinceSecond = request.since ?? 0;
  const missed = messages.filter(({ second }) => second >= sinceSecond);
  // Complete if the history also has an older message, or if nothing of it was ever deleted.
  const oldest = messages[0];
  const reachesBack =
    oldest === undefined ? Date.now() / 1_000 - sinceSecond < HISTORY_S : oldest.second < sinceSecond;
  return { stream, messages: missed, complete: reachesBack || messages.length === latest.offset };
}
