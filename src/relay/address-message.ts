import { type Broadcast, chatStream, sessionStream, userStream } from "#src/streams/broadcast.ts";
import type { SessionMessage, UserMessage } from "./schemas.ts";

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
