import type { Redis } from "ioredis";
import type { SessionMessage, UserMessage } from "#src/cable/contract.ts";

/** How many messages a stream remembers, and for how long after its last one. */
const HISTORY_LENGTH_MAX = 1_000;
const HISTORY_S = 300;

/** Where every process hears whose sockets must go. */
export const DISCONNECT_CHANNEL = "cable:disconnect";

/**
 * Remembers and publishes in one step, so that whoever was cut off can ask for what came after the last id heard. What is
 * published is `<id>|<message>`.
 */
const PUBLISH_SCRIPT = `
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'm', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', KEYS[1], id .. '|' .. ARGV[1])
return id`;

/** One message on its way: the stream, and the JSON that goes out as it is. */
export type Broadcast = { stream: string; text: string };

/** The name of a user's stream: its channel in Redis and the key of its history. */
export function userStream(userId: number): string {
  return `cable:user:${userId}`;
}

/** The name of a session's stream: its channel in Redis and the key of its history. */
export function sessionStream(sessionId: number): string {
  return `cable:session:${sessionId}`;
}

/** The name of the stream of a session's chat, which only those follow who may see it. */
export function chatStream(sessionId: number): string {
  return `${sessionStream(sessionId)}:chat`;
}

/** A message for one player, ready to be sent. */
export function forUser(userId: number, message: UserMessage): Broadcast {
  return { stream: userStream(userId), text: JSON.stringify(message) };
}

/** A message for everybody in a session, ready to be sent. Nothing in it may be about one viewer. */
export function forSession(sessionId: number, message: SessionMessage): Broadcast {
  return { stream: sessionStream(sessionId), text: JSON.stringify(message) };
}

/** A message for everybody who may see a session's chat, ready to be sent. */
export function forChat(sessionId: number, message: SessionMessage): Broadcast {
  return { stream: chatStream(sessionId), text: JSON.stringify(message) };
}

/**
 * Publishes in the given order, in one round trip. Rejects if Redis did not take every one of them; those before may have
 * gone out.
 */
export async function broadcast(redis: Redis, broadcasts: readonly Broadcast[]): Promise<void> {
  if (broadcasts.length === 0) return;
  const pipeline = redis.pipeline();
  for (const { stream, text } of broadcasts) {
    pipeline.eval(PUBLISH_SCRIPT, 1, stream, text, HISTORY_LENGTH_MAX, HISTORY_S);
  }
  const replies = (await pipeline.exec()) ?? [];
  const failed = replies.find(([error]) => error !== null);
  if (failed?.[0]) throw failed[0];
  if (replies.length !== broadcasts.length) throw new Error("Redis did not answer to every broadcast");
}

/** Tells one player, on every page that listens to the own UserChannel. Rejects while Redis is away. */
export function broadcastToUser(redis: Redis, userId: number, message: UserMessage): Promise<void> {
  return broadcast(redis, [forUser(userId, message)]);
}

/** Tells everybody who listens to a session. Rejects while Redis is away. */
export function broadcastToSession(redis: Redis, sessionId: number, message: SessionMessage): Promise<void> {
  return broadcast(redis, [forSession(sessionId, message)]);
}

/** Whose sockets: all of a user's, or those of one sign-in. */
export type Whose = { userId: number } | { signInId: string };

/**
 * Disconnects sockets in every process, after rights changed: sign-out, lock, change of role. They may come back and are
 * judged anew. Rejects while Redis is away; sockets of an ended sign-in then go within half a minute.
 */
export async function disconnectUser(redis: Redis, whose: Whose): Promise<void> {
  await redis.publish(DISCONNECT_CHANNEL, JSON.stringify(whose));
}
