import type { Redis } from "ioredis";
import * as v from "valibot";
import { redisScript, runOf, runScript } from "#src/base/redis-script.ts";
import type { StreamOffset } from "./contract.ts";

/** A message with its place in its stream; `text` is the JSON that goes out as it is. */
export type OffsetMessage = StreamOffset & { text: string };
/** `second` is the Unix second of its publishing. */
export type HistoryMessage = OffsetMessage & { second: number };

/** What a stream remembers. */
export type StreamHistory = {
  /** Where the stream stands. */
  at: StreamOffset;
  /** What came after the place that was asked for, oldest first; everything where that is of another epoch. */
  messages: HistoryMessage[];
  /** True where `messages` lacks something that came after that place. */
  gap: boolean;
};

/** How many messages a stream remembers, and for how long after its last one. */
const HISTORY_LENGTH_MAX = 1_000;
export const HISTORY_S = 300;
/** How long a silent stream keeps its place, so that whoever missed nothing need not look again. */
const PLACE_KEPT_S = 86_400;

/**
 * `placeOf(stream)` answers the epoch and the offset of a stream, and begins an epoch where there is none of this run of
 * Redis. ARGV[1] is the run, ARGV[2] how long a place is kept.
 */
const PLACE_LUA = `
local function placeOf(stream)
  local at = stream .. ':at'
  local place = redis.call('HMGET', at, 'epoch', 'offset')
  if place[1] and string.sub(place[1], 1, #ARGV[1]) == ARGV[1] then return place[1], tonumber(place[2]) end
  local epoch = ARGV[1] .. '.' .. redis.call('INCR', 'cable:epochs')
  redis.call('DEL', stream)
  redis.call('HSET', at, 'epoch', epoch, 'offset', 0)
  redis.call('EXPIRE', at, ARGV[2])
  return epoch, 0
end`;

/**
 * KEYS: the streams. ARGV from 3 on: length and lifetime of the history, then a message for each key. Each is put in its
 * place, remembered and published as `<epoch>:<offset>|<message>`, in one step, so that no one can come in between.
 */
export const publishScript = redisScript(`${PLACE_LUA}
local clock = redis.call('TIME')
for index, stream in ipairs(KEYS) do
  local epoch, offset = placeOf(stream)
  offset = offset + 1
  redis.call('HSET', stream .. ':at', 'offset', offset)
  redis.call('EXPIRE', stream .. ':at', ARGV[2])
  local placed = '{"epoch":"' .. epoch .. '","offset":' .. offset .. ',' .. string.sub(ARGV[4 + index], 2)
  redis.call('XADD', stream, 'MAXLEN', '~', ARGV[3], offset .. '-1', 'm', placed, 't', clock[1])
  redis.call('EXPIRE', stream, ARGV[4])
  redis.call('PUBLISH', stream, epoch .. ':' .. offset .. '|' .. placed)
end
return #KEYS`);

/** What the script's arguments begin with. */
export async function publishArguments(redis: Redis): Promise<(string | number)[]> {
  return [await runOf(redis), PLACE_KEPT_S, HISTORY_LENGTH_MAX, HISTORY_S];
}

const placesScript = redisScript(`${PLACE_LUA}
local places = {}
for _, stream in ipairs(KEYS) do
  local epoch, offset = placeOf(stream)
  places[#places + 1] = epoch
  places[#places + 1] = offset
end
return places`);

const historyScript = redisScript(`${PLACE_LUA}
local epoch, offset = placeOf(KEYS[1])
local from = '-'
if ARGV[3] == epoch then from = '(' .. ARGV[4] .. '-1' end
return {epoch, offset, redis.call('XRANGE', KEYS[1], from, '+')}`);

const places = v.array(v.union([v.string(), v.number()]));
const history = v.tuple([
  v.string(),
  v.number(),
  v.array(v.tuple([v.string(), v.tuple([v.literal("m"), v.string(), v.literal("t"), v.string()])])),
]);

/** Where these streams stand; the same order. Rejects while Redis is away. */
export async function findStreamOffsets(redis: Redis, streams: readonly string[]): Promise<StreamOffset[]> {
  if (streams.length === 0) return [];
  const args = [await runOf(redis), PLACE_KEPT_S];
  const found = v.parse(places, await runScript(redis, placesScript, streams, args));
  return streams.map((_, index) => ({
    epoch: String(found[index * 2]),
    offset: Number(found[index * 2 + 1]),
  }));
}

/** What a stream remembers after a place; null: everything. Rejects while Redis is away. */
export async function readHistory(
  redis: Redis,
  stream: string,
  after: StreamOffset | null,
): Promise<StreamHistory> {
  const args = [await runOf(redis), PLACE_KEPT_S, after?.epoch ?? "", after?.offset ?? 0];
  const [epoch, offset, rows] = v.parse(history, await runScript(redis, historyScript, [stream], args));
  const messages = rows.map(([id, [, text, , second]]) => ({
    epoch,
    offset: Number(id.split("-", 1)[0]),
    text,
    second: Number(second),
  }));
  const gap = after?.epoch !== epoch || after.offset > offset || messages.length !== offset - after.offset;
  return { at: { epoch, offset }, messages, gap };
}

/** False for what was heard already: it does not stand behind `last`. */
export function isNewer(heard: StreamOffset, last: StreamOffset | null): boolean {
  return last === null || heard.epoch !== last.epoch || heard.offset > last.offset;
}
