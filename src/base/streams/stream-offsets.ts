import * as v from "valibot";
import { bySlot, getNumbers, presenceKey, streamKey } from "#src/base/redis-keys.ts";
import { redisScript, type RedisScript, runScriptInRun } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "./contract.ts";

// How a page misses nothing: before the server reads any data for a page, it reads the offsets of the page's streams. With
// each subscription, and again after each lost connection, the page asks for the messages behind its last offset, and it
// ignores messages that it has already. Only if the history does not reach back far enough does it read all data again.

/** A message with its offset; `text` is the JSON that clients receive. */
export type OffsetMessage = StreamOffset & { text: string };
/** How far back the history of a stream reaches. Seconds. */
export const HISTORY_S = 300;
/** How long the offset of a silent stream is stored. Clients that missed nothing until then need not read all data again. */
export const OFFSET_TTL_S = 86_400;

/**
 * `offsetOf(stream)` returns the epoch and the offset of a stream, and a second before which its history has one message at most; nil if
 * that is not known. It begins a new epoch if there is none of this run of Redis, because a restart may have lost the last second.
 * ARGV[1] is the run, ARGV[2] the lifetime of the offset.
 */
export const OFFSET_LUA = `
local function offsetOf(stream)
  local at = stream .. ':at'
  local stored = redis.call('HMGET', at, 'epoch', 'offset', 'one_before')
  if stored[1] and string.sub(stored[1], 1, #ARGV[1]) == ARGV[1] then
    return stored[1], tonumber(stored[2]), tonumber(stored[3])
  end
  local clock = redis.call('TIME')
  local epoch = string.format('%s.%d%06d', ARGV[1], clock[1], clock[2])
  redis.call('DEL', stream)
  redis.call('HSET', at, 'epoch', epoch, 'offset', 0)
  redis.call('EXPIRE', at, ARGV[2])
  return epoch, 0
end`;

/** Parses `<epoch>:<offset>|<message>`; null if it has another form. */
export function parsePublished(published: string): OffsetMessage | null {
  const end = published.indexOf("|");
  const middle = published.indexOf(":");
  if (middle < 0 || end < middle) return null;
  const offset = Number(published.slice(middle + 1, end));
  return { epoch: published.slice(0, middle), offset, text: published.slice(end + 1) };
}

/** A message's JSON with its offset, as the script writes it. */
export function withOffset(text: string, { epoch, offset }: StreamOffset): string {
  return `{"epoch":"${epoch}","offset":${offset},${text.slice(1)}`;
}

/** KEYS: the streams, then other keys. ARGV[3]: how many streams. The values of the other keys follow the offsets; 0: no value. */
const offsetsScript = redisScript(`${OFFSET_LUA}
local found = {}
for index, key in ipairs(KEYS) do
  if index <= tonumber(ARGV[3]) then
    local epoch, offset = offsetOf(key)
    found[#found + 1] = epoch
    found[#found + 1] = offset
  else
    found[#found + 1] = redis.call('GET', key) or 0
  end
end
return found`);

export const offsetsResult = v.array(v.union([v.string(), v.number()]));
/**
 * The newest offset of each stream, in the same order. Rejects while Redis is away. Where only a node of a cluster is away, its
 * streams have none.
 */
export async function findStreamOffsets(
  redis: RedisClient,
  streams: readonly string[],
): Promise<(StreamOffset | undefined)[]> {
  if (streams.length === 0) return [];
  const keyOf = (stream: string) => streamKey(redis, stream);
  const find = async (some: readonly string[]) => {
    const reply = await runScriptInRun(redis, offsetsScript, some.map(keyOf), [OFFSET_TTL_S, some.length]);
    return offsetsIn(v.parse(offsetsResult, reply), some);
  };
  if (!redis.isCluster) return find(streams);
  return bySlot<string, StreamOffset | undefined>(redis, { items: streams, keyOf }, (some) =>
    find(some).catch(() => some.map(() => undefined)),
  );
}

/**
 * The newest offset of each stream and how many players are online in each session, in the same order and in one round trip.
 * Rejects while Redis is away.
 */
export async function findOffsetsAndCounts(
  redis: RedisClient,
  streams: readonly string[],
  sessionIds: readonly number[],
): Promise<{ offsets: (StreamOffset | undefined)[]; counts: number[] }> {
  const keys = sessionIds.map((id) => presenceKey(redis, id));
  if (redis.isCluster) {
    const [offsets, counts] = await Promise.all([findStreamOffsets(redis, streams), getNumbers(redis, keys)]);
    return { offsets, counts };
  }
  const args = [OFFSET_TTL_S, streams.length];
  const reply = await runScriptInRun(redis, offsetsScript, [...streams, ...keys], args);
  const found = v.parse(offsetsResult, reply);
  return {
    offsets: offsetsIn(found, streams),
    counts: keys.map((_, index) => Number(found[streams.length * 2 + index])),
  };
}

export function offsetsIn(found: readonly (string | number)[], streams: readonly string[]): StreamOffset[] {
  return streams.map((_, index) => ({
    epoch: String(found[index * 2]),
    offset: Number(found[index * 2 + 1]),
  }));
}

/** True if an offset is behind `last`, that is, if its message has not arrived yet. */
export function isNewer(offset: StreamOffset, last: StreamOffset | null): boolean {
  return last === null || offset.epoch !== last.epoch || offset.offset > last.offset;
}

// Decision: a history is complete or refused. A client that gets a part of it would show a wrong state and not know it.
// Any player may ask for what was missed, again and again. So Redis reads no more than it sends, and stops when that is more
// than the client can use.

export type MissedMessages = {
  latest: StreamOffset;
  /** Oldest first: those that the history has; none if they are too long. */
  messages: OffsetMessage[];
  /** False if some are missing: the history does not reach back far enough, or is too long. */
  complete: boolean;
};

const PART = 100;
const TOO_LONG = "too long";
const REACHED = "reached";
const BEGINNING = "beginning";

/** ARGV[3] and [4]: the epoch and the offset; ARGV[5]: the largest length. */
const afterScript = redisScript(`${OFFSET_LUA}
local epoch, offset = offsetOf(KEYS[1])
local rows, length, from = {}, 0, '-'
if ARGV[3] == epoch then from = '(' .. ARGV[4] .. '-1' end
while true do
  local part = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ${PART})
  for _, row in ipairs(part) do
    length = length + #row[2][2]
    rows[#rows + 1] = row
  end
  if length > tonumber(ARGV[5]) then return {epoch, offset, '${TOO_LONG}', {}} end
  if #part < ${PART} then return {epoch, offset, '${REACHED}', rows} end
  from = '(' .. part[#part][1]
end`);

/** ARGV[3]: the Unix second; ARGV[4]: the largest length. The newest message is the first. */
const sinceScript = redisScript(`${OFFSET_LUA}
local epoch, offset = offsetOf(KEYS[1])
local last = redis.call('HGET', KEYS[1] .. ':at', 't')
if last and tonumber(last) < tonumber(ARGV[3]) then return {epoch, offset, '${REACHED}', {}} end
local rows, length, to = {}, 0, '+'
while true do
  local part = redis.call('XREVRANGE', KEYS[1], to, '-', 'COUNT', ${PART})
  for _, row in ipairs(part) do
    if tonumber(row[2][4]) < tonumber(ARGV[3]) then return {epoch, offset, '${REACHED}', rows} end
    length = length + #row[2][2]
    rows[#rows + 1] = row
  end
  if length > tonumber(ARGV[4]) then return {epoch, offset, '${TOO_LONG}', {}} end
  if #part < ${PART} then return {epoch, offset, '${BEGINNING}', rows} end
  to = '(' .. part[#part][1]
end`);

const scriptResult = v.tuple([
  v.string(),
  v.number(),
  v.picklist([REACHED, BEGINNING, TOO_LONG]),
  v.array(v.tuple([v.string(), v.tuple([v.literal("m"), v.string(), v.literal("t"), v.string()])])),
]);

/**
 * Reads the messages behind an offset, all of them if it is null or of another epoch. Rejects while Redis is away.
 * @param lengthMax of all texts, in bytes; by default there is no limit.
 */
export async function readMissedAfter(
  redis: RedisClient,
  stream: string,
  { after, lengthMax = Number.MAX_SAFE_INTEGER }: { after: StreamOffset | null; lengthMax?: number },
): Promise<MissedMessages> {
  const args = [after?.epoch ?? "", after?.offset ?? 0, lengthMax];
  const { latest, messages, end } = await run(redis, afterScript, stream, args);
  const isReached = end === REACHED && after?.epoch === latest.epoch;
  return { latest, messages, complete: isReached && messages.length === latest.offset - after.offset };
}

/**
 * Reads the messages since a Unix second. Rejects while Redis is away.
 * @param lengthMax of all texts, in bytes.
 */
export async function readMissedSince(
  redis: RedisClient,
  stream: string,
  { second, lengthMax }: { second: number; lengthMax: number },
): Promise<MissedMessages> {
  const { latest, messages, end } = await run(redis, sinceScript, stream, [second, lengthMax]);
  messages.reverse();
  const complete = end === REACHED || (end === BEGINNING && messages.length === latest.offset);
  return { latest, messages, complete };
}

async function run(
  redis: RedisClient,
  script: RedisScript,
  stream: string,
  args: readonly (string | number)[],
): Promise<{ latest: StreamOffset; messages: OffsetMessage[]; end: string }> {
  const reply = await runScriptInRun(redis, script, [streamKey(redis, stream)], [OFFSET_TTL_S, ...args]);
  const [epoch, offset, end, rows] = v.parse(scriptResult, reply);
  const messages = rows.map(([id, [, text]]) => ({ epoch, offset: Number(id.split("-", 1)[0]), text }));
  return { latest: { epoch, offset }, messages, end };
}
