import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { bySlot, channelOf, streamKey } from "#src/base/redis-keys.ts";
import { redisScript, runScriptInRun } from "#src/base/redis-script.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { StreamOffset } from "./contract.ts";
import { HISTORY_S, OFFSET_LUA, OFFSET_TTL_S, offsetsIn, offsetsResult } from "./stream-offsets.ts";

/**
 * KEYS: the streams. ARGV from 3 on: the Unix second, how many seconds the history reaches back, what the channels begin with, then for each
 * key the largest number of messages in its history, how many messages it gets, and these. Each message gets the next offset, is added to
 * the history and is published as `<epoch>:<offset>|<message>`, all in one atomic step. Returns the epochs and offsets.
 *
 * Redis takes nothing back of a script that it refuses in the middle: its user may lose the right to channels. So a stream that has got a
 * part is removed, and begins a new epoch with its next message: its offset would be that of the part again, which Redis does not add.
 *
 * Of the messages that are too old the newest one stays, by which a reader since a second finds that nothing is missing before. When the
 * second oldest was written is kept beside the offset: to read both each time would take a fifth of the script's time.
 */
const publishScriptBy = (publish: "PUBLISH" | "SPUBLISH") =>
  redisScript(`${OFFSET_LUA}
local function removeBefore(stream, second)
  while true do
    local oldest = redis.call('XRANGE', stream, '-', '+', 'COUNT', 2)
    if not oldest[2] then return ARGV[3] end
    if tonumber(oldest[2][2][4]) >= second then return oldest[2][2][4] end
    redis.call('XDEL', stream, oldest[1][1])
  end
end
local offsets = {}
local isAdded
local function publishAt(stream, at)
  local epoch, offset, oneBefore = offsetOf(stream)
  local last = at + 1 + tonumber(ARGV[at + 1])
  for index = at + 2, last do
    offset = offset + 1
    local message = '{"epoch":"' .. epoch .. '","offset":' .. offset .. ',' .. string.sub(ARGV[index], 2)
    redis.call('XADD', stream, 'MAXLEN', '~', ARGV[at], offset .. '-1', 'm', message, 't', ARGV[3])
    isAdded = true
    redis.call('${publish}', ARGV[5] .. stream, epoch .. ':' .. offset .. '|' .. message)
    offsets[#offsets + 1] = epoch
    offsets[#offsets + 1] = offset
  end
  local historyFrom = ARGV[3] - ARGV[4]
  if not oneBefore or oneBefore < historyFrom then oneBefore = removeBefore(stream, historyFrom) end
  redis.call('HSET', stream .. ':at', 'offset', offset, 't', ARGV[3], 'one_before', oneBefore)
  redis.call('EXPIRE', stream .. ':at', ARGV[2])
  redis.call('EXPIRE', stream, ARGV[4])
  return last + 1
end
local at = 6
for _, stream in ipairs(KEYS) do
  isAdded = false
  local isDone, result = pcall(publishAt, stream, at)
  if not isDone then
    if isAdded then redis.call('DEL', stream, stream .. ':at') end
    error(result, 0)
  end
  at = result
end
return offsets`);

const publishScripts = { plain: publishScriptBy("PUBLISH"), sharded: publishScriptBy("SPUBLISH") };

/**
 * About how many messages a history has at most. A player's streams are as many as there are players, and a message has nearly a
 * kilobyte: 8 are the closes and results of four calls, and Redis keeps up to four more. A client that has missed more reads its data again.
 */
const HISTORY_MAX = { user: 8, other: 1_000 };
/** How many messages one run of the script publishes. Redis serves no other client during a run. */
const PUBLISHED_AT_ONCE = 50;

/** The channel that all processes receive: disconnects, and the presence of extended clients. */
export const CONTROL_CHANNEL = "cable:disconnect";

/** One message for a stream. `text` is the JSON of an object, to which only the offset is added. */
export type Broadcast = { stream: string; text: string };

const USER_STREAMS = "cable:user:";

/** The name of a user's stream: of its channel in Redis and of the key of its history. */
export function userStream(userId: number): string {
  return `${USER_STREAMS}${userId}`;
}

/** The name of a session's stream: of its channel in Redis and of the key of its history. */
export function sessionStream(sessionId: number): string {
  return `cable:session:${sessionId}`;
}

/**
 * The name of the stream of a session's chat. Only viewers with an account receive it. It is a stream of its own, so that a
 * busy chat does not push messages of the game out of the history, and guests see no gaps in the offsets.
 */
export function chatStream(sessionId: number): string {
  return `${sessionStream(sessionId)}:chat`;
}

/**
 * The name of the stream to the hosts of a session. Only admins receive it. Its messages come as control messages: they are
 * about the moment, and have no history.
 */
export function hostsStream(sessionId: number): string {
  return `${sessionStream(sessionId)}:hosts`;
}

/**
 * Broadcasts messages, in the given order; in a cluster only messages to the same slot keep it. Each message gets an offset in its stream
 * (which the message contains) and is stored in the stream's history, from which reconnecting clients catch up. Rejects if Redis did not
 * accept all of them; some may have been sent.
 * @returns the offset of each message.
 */
export async function broadcast(
  redis: RedisClient,
  broadcasts: readonly Broadcast[],
): Promise<StreamOffset[]> {
  if (broadcasts.length === 0) return [];
  const keyOf = ({ stream }: Broadcast) => streamKey(redis, stream);
  return bySlot(redis, { items: broadcasts, keyOf }, (some) => publishInOrder(redis, some));
}

/** Redis runs the scripts one after the other. The first one is waited for: it may have to be loaded, and the others follow it. */
async function publishInOrder(redis: RedisClient, broadcasts: readonly Broadcast[]): Promise<StreamOffset[]> {
  const parts = Array.from({ length: Math.ceil(broadcasts.length / PUBLISHED_AT_ONCE) }, (_, part) =>
    broadcasts.slice(part * PUBLISHED_AT_ONCE, (part + 1) * PUBLISHED_AT_ONCE),
  );
  const [first = [], ...others] = parts;
  const offsets = await publishToStreams(redis, first);
  const rest = await Promise.all(others.map((part) => publishToStreams(redis, part)));
  return [...offsets, ...rest.flat()];
}

/**
 * Selects sockets that are disconnected: all of a user, or those of one sign-in or access token. Their clients may reconnect and are
 * authenticated again. While Redis is away the sockets of what has ended are closed within half a minute.
 */
export type SocketOwner = { userId: number } | { signInId: string } | { accessTokenId: number };

/** Sends a control message to all processes. It has no history. Rejects while Redis is away. */
export async function broadcastControl(
  redis: RedisClient,
  message:
    | SocketOwner
    | { shut: number }
    | { stream: string; presence: object }
    | { stream: string; message: object },
): Promise<void> {
  const text = JSON.stringify(message);
  await (redis.isCluster
    ? redis.spublish(streamKey(redis, CONTROL_CHANNEL), text)
    : redis.publish(channelOf(redis, CONTROL_CHANNEL), text));
}

/**
 * Publishes messages to streams, in one atomic step; in a cluster all of them must be in one slot. Rejects while Redis is away.
 * @returns the offset of each message.
 */
async function publishToStreams(redis: RedisClient, messages: readonly Broadcast[]): Promise<StreamOffset[]> {
  const streams = messages.map(({ stream }) => stream);
  const runs = runsOf(messages);
  const keys = runs.map(({ stream }) => streamKey(redis, stream));
  const script = publishScripts[redis.isCluster ? "sharded" : "plain"];
  const second = Math.floor(serverNow().getTime() / 1_000);
  const each = runs.flatMap(({ historyMax, texts }) => [historyMax, texts.length, ...texts]);
  // In a cluster a channel is one of the node that has the key of its name.
  const args = [OFFSET_TTL_S, second, HISTORY_S, channelOf(redis, ""), ...each];
  const reply = await runScriptInRun(redis, script, keys, args);
  return offsetsIn(v.parse(offsetsResult, reply), streams);
}

type Run = { stream: string; historyMax: number; texts: string[] };

/** The messages that follow each other in one stream are published together. */
function runsOf(messages: readonly Broadcast[]): Run[] {
  const runs: Run[] = [];
  for (const { stream, text } of messages) {
    const last = runs.at(-1);
    const historyMax = HISTORY_MAX[stream.startsWith(USER_STREAMS) ? "user" : "other"];
    if (last?.stream === stream) last.texts.push(text);
    else runs.push({ stream, historyMax, texts: [text] });
  }
  return runs;
}

/**
 * Ends the subscriptions to a session's streams of those for whom it does not exist any more, in all processes. Without Redis each
 * process finds them within half a minute.
 */
export async function shutStreams(
  { redis, log }: Pick<Deps, "redis" | "log">,
  sessionId: number,
): Promise<void> {
  try {
    await broadcastControl(redis, { shut: sessionId });
  } catch (error) {
    log.debug({ err: error, sessionId }, "who may not follow a session any more is found by the next check");
  }
}
