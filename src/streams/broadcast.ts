import type { Redis } from "ioredis";
import { runScript } from "#src/base/redis-script.ts";
import { publishArguments, publishScript } from "./stream-offsets.ts";

/** How many messages one run of the script publishes: Redis answers nobody else meanwhile. */
const PUBLISHED_AT_ONCE = 50;

/** Where every process hears whose sockets must go, and who is there. */
export const CONTROL_CHANNEL = "cable:disconnect";

/** One message on its way: the stream, and the JSON of an object that goes out as it is, but for its place. */
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

/**
 * Publishes in the given order. Each message gets its place in its stream, inside the message too, and is remembered, so
 * that whoever was cut off can ask for what came since. Rejects if Redis did not take every one of them; those before may
 * have gone out.
 */
export async function broadcast(redis: Redis, broadcasts: readonly Broadcast[]): Promise<void> {
  if (broadcasts.length === 0) return;
  const args = await publishArguments(redis);
  for (let start = 0; start < broadcasts.length; start += PUBLISHED_AT_ONCE) {
    const some = broadcasts.slice(start, start + PUBLISHED_AT_ONCE);
    const streams = some.map(({ stream }) => stream);
    await runScript(redis, publishScript, streams, [...args, ...some.map(({ text }) => text)]);
  }
}

/** Whose sockets: all of a user's, or those of one sign-in. */
export type SocketOwner = { userId: number } | { signInId: string };

/**
 * Disconnects sockets in every process, after rights changed: sign-out, lock, change of role. They may come back and are
 * judged anew. Rejects while Redis is away; sockets of an ended sign-in then go within half a minute.
 */
export async function disconnectUser(redis: Redis, whose: SocketOwner): Promise<void> {
  await broadcastControl(redis, whose);
}

/** What is told to every process at once, and remembered by nobody. Rejects while Redis is away. */
export async function broadcastControl(
  redis: Redis,
  announcement: SocketOwner | { stream: string; presence: object },
): Promise<void> {
  await redis.publish(CONTROL_CHANNEL, JSON.stringify(announcement));
}
