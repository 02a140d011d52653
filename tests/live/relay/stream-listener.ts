import * as v from "valibot";
import { connectRedis, type RedisClient } from "#src/base/redis.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import {
  sessionMessage,
  type SessionMessage,
  userMessage,
  type UserMessage,
} from "#src/live/relay/schemas.ts";

export type ReceivedMessage = { stream: string; message: UserMessage | SessionMessage };

/** Receives all messages that are broadcast in a Redis, checked against the schema, in their order. */
export type StreamListener = {
  messages: ReceivedMessage[];
  /** `Call/close_call` and so on, of one stream. */
  names: (stream: string) => string[];
  user: (userId: number) => UserMessage[];
  session: (sessionId: number) => SessionMessage[];
  /** Waits until it has received all that was broadcast so far. */
  settled: (redis: RedisClient) => Promise<void>;
  /** Resolves in the same step as a message of this kind is received. */
  next: (eventType: string) => Promise<void>;
  stop: () => void;
};

/** What is published there arrives after all that was published before. */
const MARKS = "cable:session:marks-of-a-test";

export async function listenToStreams(redisUrl: string): Promise<StreamListener> {
  const messages: ReceivedMessage[] = [];
  const marks = new Map<string, () => void>();
  const awaited = new Map<string, () => void>();
  const subscriber = connectRedis(redisUrl, "subscribe");
  subscriber.on("pmessage", (_pattern: string, stream: string, published: string) => {
    if (stream === MARKS) return marks.get(published)?.();
    const json: unknown = JSON.parse(published.slice(published.indexOf("|") + 1));
    const schema = stream.startsWith("cable:user:") ? userMessage : sessionMessage;
    const message = v.parse(schema, json);
    messages.push({ stream, message });
    awaited.get(message.eventType)?.();
  });
  await subscriber.psubscribe("cable:user:*", "cable:session:*");
  const of = (stream: string) =>
    messages.filter((each) => each.stream === stream).map(({ message }) => message);
  return {
    messages,
    names: (stream) => of(stream).map(({ sourceType, eventType }) => `${sourceType}/${eventType}`),
    user: (userId) => of(userStream(userId)).map((message) => v.parse(userMessage, message)),
    session: (sessionId) => of(sessionStream(sessionId)).map((message) => v.parse(sessionMessage, message)),
    settled: async (redis) => {
      const [mark, received] = [crypto.randomUUID(), Promise.withResolvers<void>()];
      marks.set(mark, received.resolve);
      await redis.publish(MARKS, mark);
      await received.promise;
      marks.delete(mark);
    },
    next: (eventType) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      awaited.set(eventType, resolve);
      return promise;
    },
    stop: () => subscriber.disconnect(),
  };
}
