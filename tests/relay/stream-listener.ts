import type { Redis } from "ioredis";
import * as v from "valibot";
import { connectRedis } from "#src/base/redis.ts";
import { sessionMessage, type SessionMessage, userMessage, type UserMessage } from "#src/relay/schemas.ts";
import { sessionStream, userStream } from "#src/streams/broadcast.ts";

export type Told = { stream: string; message: UserMessage | SessionMessage };

/** Hears everything that is published in a Redis, checked against the contract, in the order it came. */
export type Radio = {
  told: Told[];
  /** `Call/close_call` and so on, of one stream. */
  names: (stream: string) => string[];
  user: (userId: number) => UserMessage[];
  session: (sessionId: number) => SessionMessage[];
  stop: () => void;
};

export async function listen(redisUrl: string): Promise<Radio> {
  const told: Told[] = [];
  const subscriber: Redis = connectRedis(redisUrl, "subscribe");
  subscriber.on("pmessage", (_pattern, stream, published) => {
    const json: unknown = JSON.parse(published.slice(published.indexOf("|") + 1));
    const shape = stream.startsWith("cable:user:") ? userMessage : sessionMessage;
    told.push({ stream, message: v.parse(shape, json) });
  });
  await subscriber.psubscribe("cable:user:*", "cable:session:*");
  const of = (stream: string) => told.filter((one) => one.stream === stream).map(({ message }) => message);
  return {
    told,
    names: (stream) => of(stream).map(({ sourceType, eventType }) => `${sourceType}/${eventType}`),
    user: (userId) => of(userStream(userId)).map((message) => v.parse(userMessage, message)),
    session: (sessionId) => of(sessionStream(sessionId)).map((message) => v.parse(sessionMessage, message)),
    stop: () => subscriber.disconnect(),
  };
}
