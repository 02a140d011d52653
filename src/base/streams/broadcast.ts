import { bySlot, channelOf, streamKey } from "#src/base/redis-keys.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "./contract.ts";
import { publishToStreams } from "./publish-to-streams.ts";

/**
 * About how many messages a history has at most. A player's streams are as many as there are players, and a message has nearly a
 * kilobyte: 20 are the last four calls of a player, each with its result. A client that has missed more reads its data again.
 */
const HISTORY_MAX = { user: 20, other: 1_000 };
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
 * Broadcasts messages, in the given order. Each message gets an offset in its stream (which the message contains) and is
 * stored in the stream's history, from which reconnecting clients catch up. Rejects if Redis did not accept all of them;
 * some may have been sent.
 */
export async function broadcast(redis: RedisClient, broadcasts: readonly Broadcast[]): Promise<void> {
  await broadcastWithOffsets(redis, broadcasts);
}

/** The same. @returns the offset of each message. In a cluster only messages to the same slot keep their order. */
export async function broadcastWithOffsets(
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
    broadcasts.slice(part * PUBLISHED_AT_ONCE, (part + 1) * PUBLISHED_AT_ONCE).map(withHistoryMax),
  );
  const [first = [], ...others] = parts;
  const offsets = await publishToStreams(redis, first);
  const rest = await Promise.all(others.map((part) => publishToStreams(redis, part)));
  return [...offsets, ...rest.flat()];
}

function withHistoryMax({ stream, text }: Broadcast) {
  const historyMax = HISTORY_MAX[stream.startsWith(USER_STREAMS) ? "user" : "other"];
  return { stream, text, historyMax };
}

/** Selects sockets: all of a user, or those of one sign-in. */
export type SocketOwner = { userId: number } | { signInId: string };

/**
 * Disconnects sockets in all processes, after a sign-out, a lock or a change of role. Their clients may reconnect and are
 * authenticated again. Rejects while Redis is away; the sockets of an ended sign-in are then closed within half a minute.
 */
export async function disconnectUser(redis: RedisClient, owner: SocketOwner): Promise<void> {
  await broadcastControl(redis, owner);
}

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
