import * as v from "valibot";
import type { Fact } from "#src/base/outbox/write-fact.ts";
import { findMessagesById } from "#src/play/chat/find-messages.ts";
import { countPlayersOnline } from "#src/show/sessions/count-players-online.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { forChat, forSession, forSessionAbout } from "./address-message.ts";
import { sessionChanges } from "./contract.ts";
import type { MessageContext, Messages } from "./message-context.ts";
import type { SessionMessage } from "./schemas.ts";

/** A change of a newer release is an update: the message has the whole session. */
const sessionChange = v.fallback(v.picklist(sessionChanges), "update");

const chatChanges = {
  message_created: { eventType: "create", version: 1 },
  message_destroyed: { eventType: "destroy", version: 2 },
} as const;

/** `fact` is what the message reports; left out where only a count of the session has changed. */
type SessionChange = { sessionId: number; change: string; fact?: Fact };

/** A message to everyone in a session, with the session's current state. */
export async function* buildSessionMessages(
  { tx, redis, serverTime }: MessageContext,
  { sessionId, change, fact }: SessionChange,
): Messages {
  const view = await findSessionView(tx, sessionId, null);
  const [session] = view === null ? [] : await countPlayersOnline(redis, [view]);
  if (session === undefined) return;
  const message: SessionMessage = {
    sourceType: "Session",
    eventType: v.parse(sessionChange, change),
    detail: { session, version: session.version, serverTime },
  };
  yield [fact === undefined ? forSession(sessionId, message) : forSessionAbout(fact, sessionId, message)];
}

/** A message to everyone in a planned session that was deleted. */
export async function* buildSessionDestroyedMessages(
  { serverTime }: MessageContext,
  fact: Extract<Fact, { kind: "session_destroyed" }>,
): Messages {
  const { sessionId, version } = fact;
  yield [
    forSessionAbout(fact, sessionId, {
      sourceType: "Session",
      eventType: "destroy",
      detail: { sessionId, version, serverTime },
    }),
  ];
}

/** A new or deleted chat message, to everyone who may see the chat. A deleted one has an empty body. */
export async function* buildChatMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  { kind, messageId }: { kind: keyof typeof chatChanges; messageId: number },
): Messages {
  const { eventType, version } = chatChanges[kind];
  const messages = await findMessagesById(tx, [messageId]);
  yield messages.map((message) =>
    forChat(message.sessionId, {
      sourceType: "Message",
      eventType,
      detail: { message, version, serverTime },
    }),
  );
}
