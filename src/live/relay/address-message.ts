import type { Transaction } from "#db/client.ts";
import type { Side } from "#db/lists/spots.ts";
import type { Fact } from "#src/base/outbox/write-fact.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { type Broadcast, chatStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { SessionMessage, UserMessage } from "./schemas.ts";

export function forUser(userId: number, message: UserMessage): Broadcast {
  return { stream: userStream(userId), text: JSON.stringify(message) };
}

/** A message to everyone in a session. It must not contain anything that only one viewer may see. */
export function forSession(sessionId: number, message: SessionMessage): Broadcast {
  return { stream: sessionStream(sessionId), text: JSON.stringify(message) };
}

/** A message to everyone in a session that reports a fact, to webhooks too. */
export function forSessionAbout(fact: Fact, sessionId: number, message: SessionMessage): RelayedMessage {
  const type = `${message.sourceType}/${message.eventType}`;
  return { ...forSession(sessionId, message), about: { fact, type } };
}

/** A message to everyone who may see a session's chat. */
export function forChat(sessionId: number, message: SessionMessage): Broadcast {
  return { stream: chatStream(sessionId), text: JSON.stringify(message) };
}

/** A call as the ticker shows it; `wager` in dollars. */
export type RecentCall = { username: string; side: Side; wager: number; wagerCents: number };

/**
 * What the `build-...-messages.ts` files take besides a fact. They read the current rows and return messages. What is to be
 * broadcast later or less often they add to one of the three collections instead.
 */
export type MessageContext = {
  tx: Transaction;
  redis: RedisClient;
  /** The database's clock, ISO 8601. */
  serverTime: string;
  /** The newest calls of each event whose pool has changed. */
  changedPools: Map<number, RecentCall[]>;
  /** The sessions whose leaders may have changed. */
  changedLeaders: Set<number>;
  /** Facts for the remaining recipients, where there are too many for one transaction. */
  followUps: Fact[];
};

/** A message of the relay. Webhooks get those that tell a fact: `about`, with the name of the message. */
export type RelayedMessage = Broadcast & { about?: { fact: Fact; type: string } };

/** Messages in the order in which they are broadcast, a bounded number at a time. */
export type Messages = AsyncGenerator<RelayedMessage[], void, undefined>;
