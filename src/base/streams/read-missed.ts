import * as v from "valibot";
import { streamKey } from "#src/base/redis-keys.ts";
import { type RedisScript, redisScript, runScriptInRun } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "./contract.ts";
import { OFFSET_LUA, OFFSET_TTL_S, type OffsetMessage } from "./stream-offsets.ts";

// Decision: a history is complete or refused. A client that gets a part of it would show a wrong state and not know it.
// Any player may ask for what was missed, again and again. So Redis reads no more than it sends, and stops when that is more
// than the client can use.

/** The messages of a stream that a client has missed. */
export type MissedMessages = {
  /** The offset of the stream's newest message. */
  latest: StreamOffset;
  /** Oldest first; none if they are not complete. */
  messages: OffsetMessage[];
  /** False if the history does not reach back far enough, or if it is too long. */
  complete: boolean;
};

const PART = 100;
const TOO_LONG = "too long";
const REACHED = "reached";
const BEGINNING = "beginning";

/** ARGV[3] and [4]: the epoch and the offset; ARGV[5]: the largest length. */
const afterScript = redisScript(`${OFFSET_LUA}
local epoch, offset = offsetOf(KEYS[1])
if ARGV[3] ~= epoch then return {epoch, offset, '${BEGINNING}', {}} end
local rows, length, from = {}, 0, '(' .. ARGV[4] .. '-1'
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
 * Reads the messages behind an offset. Rejects while Redis is away.
 * @param lengthMax of all texts, in bytes.
 */
export async function readMissedAfter(
  redis: RedisClient,
  stream: string,
  { after, lengthMax }: { after: StreamOffset; lengthMax: number },
): Promise<MissedMessages> {
  const args = [after.epoch, after.offset, lengthMax];
  const { latest, messages, end } = await run(redis, afterScript, stream, args);
  const complete = end === REACHED && messages.length === latest.offset - after.offset;
  return { latest, messages: complete ? messages : [], complete };
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
  return { latest, messages: complete ? messages : [], complete };
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
