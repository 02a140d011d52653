import type { Fact } from "#src/base/outbox/write-fact.ts";
import { type Broadcast, chatStream, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import type { RelayedMessage } from "./message-context.ts";
import type { SessionMessage, UserMessage } from "./schemas.ts";

/** A message to one player. */
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
