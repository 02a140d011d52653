import type { Redis } from "ioredis";
import * as v from "valibot";
import type { StreamOffset } from "#src/streams/contract.ts";
import { readHistory, HISTORY_S, type HistoryMessage } from "#src/streams/stream-offsets.ts";
import { delivery, historyAnswer } from "./frames.ts";
import type { HistoryWish } from "./parse-command.ts";

/** More than this is not sent after a cut: looking at everything again is cheaper. Characters. */
const CAUGHT_UP_MAX = 512 * 1_024;

const sinceWish = v.object({ epoch: v.nullish(v.string()), offset: v.nullish(v.number()) });

/**
 * What a page missed, as messages for its subscription alone: all that came after the place it names, in order, then
 * `{"caughtUp": place}`; or `{"gap": true, epoch, offset}` where that is not known any more, or not known to the page.
 * While Redis is away it is a gap to nowhere, so that the page looks at once, and again when messages come.
 */
export async function catchUp(redis: Redis, stream: string, wish: unknown): Promise<string[]> {
  const { epoch, offset } = v.parse(sinceWish, wish);
  const after = typeof epoch === "string" && typeof offset === "number" ? { epoch, offset } : null;
  const found = await readHistory(redis, stream, after).catch(() => null);
  if (found === null) return [JSON.stringify({ gap: true, epoch: "", offset: 0 })];
  const { at, messages, gap } = found;
  const length = messages.reduce((sum, { text }) => sum + text.length, 0);
  if (gap || length > CAUGHT_UP_MAX) return [JSON.stringify({ gap: true, ...at })];
  return [...messages.map(({ text }) => text), JSON.stringify({ caughtUp: at })];
}

type Missing = { identifier: string; streams: readonly string[]; wish: HistoryWish };

/**
 * The same for an extended client, as frames: what its streams remember after the places that it names, or since the
 * second that it names; then whether that was all.
 */
export async function historyFrames(redis: Redis, { identifier, streams, wish }: Missing): Promise<string[]> {
  const found = await Promise.all(streams.map((stream) => findHistory(redis, stream, wish)));
  const complete = found.every((one) => one.complete);
  const frames = found.flatMap(({ stream, messages }) =>
    messages.map((heard) => delivery("ext", identifier, { stream, heard })),
  );
  return [...(complete ? frames : []), historyAnswer(identifier, { complete })];
}

type Found = { stream: string; messages: HistoryMessage[]; complete: boolean };

async function findHistory(redis: Redis, stream: string, wish: HistoryWish): Promise<Found> {
  const place: StreamOffset | null = wish.streams?.[stream] ?? null;
  const { at, messages, gap } = await readHistory(redis, stream, place);
  if (place !== null) return { stream, messages, complete: !gap };
  const second = wish.since ?? 0;
  const since = messages.filter((message) => message.second >= second);
  // All since then is there where something older is there too, or where nothing was ever forgotten.
  const first = messages[0];
  const whole = first === undefined ? Date.now() / 1_000 - second < HISTORY_S : first.second < second;
  return { stream, messages: since, complete: whole || messages.length === at.offset };
}
