import * as v from "valibot";
import { connectRedis } from "#src/base/redis.ts";
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
  stop: () => void;
};

export async function listenToStreams(redisUrl: string): Promise<StreamListener> {
  const messages: ReceivedMessage[] = [];
  const subscriber = connectRedis(redisUrl, "subscribe");
  subscriber.on("pmessage", (_pattern: string, stream: string, published: string) => {
    const json: unknown = JSON.parse(published.slice(published.indexOf("|") + 1));
    const schema = stream.startsWith("cable:user:") ? userMessage : sessionMessage;
    messages.push({ stream, message: v.parse(schema, json) });
  });
  await subscriber.psubscribe("cable:user:*", "cable:session:*");
  const of = (stream: string) =>
    messages.filter((each) => each.stream === stream).map(({ message }) => message);
  return {
    messages,
    names: (stream) => of(stream).map(({ sourceType, eventType }) => `${sourceType}/${eventType}`),
    user: (userId) => of(userStream(userId)).map((message) => v.parse(userMessage, message)),
    session: (sessionId) => of(sessionStream(sessionId)).map((message) => v.parse(sessionMessage, message)),
    stop: () => subscriber.disconnect(),
  };
}
