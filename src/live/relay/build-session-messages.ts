import { and, eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import { sessionChanges } from "#db/lists/changes.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import type { Fact } from "#src/base/outbox/write-fact.ts";
import { findMessagesById } from "#src/play/chat/find-messages.ts";
import { countPlayersOnline, findSessionView } from "#src/show/sessions/find-session-views.ts";
import {
  forChat,
  forSession,
  forSessionAbout,
  type MessageContext,
  type Messages,
} from "./address-message.ts";
import type { SessionMessage } from "./schemas.ts";

/** A change of a newer release is an update: the message has the whole session. */
const sessionChange = v.fallback(v.picklist(sessionChanges), "update");

const chatChanges = {
  message_created: { eventType: "create", version: 1 },
  message_changed: { eventType: "update", version: 1 },
  message_destroyed: { eventType: "destroy", version: 2 },
} as const;

/** `fact` is what the message reports; left out where only a count or a name of the session has changed. */
type SessionChange = { sessionId: number; change: string; fact?: Fact; namesChanged?: true };

/** A message to everyone in a session, with the session's current state. */
export async function* buildSessionMessages(
  { tx, redis, serverTime }: MessageContext,
  { sessionId, change, fact, namesChanged }: SessionChange,
): Messages {
  const view = await findSessionView(tx, sessionId, null);
  const [session] = view === null ? [] : await countPlayersOnline(redis, [view]);
  if (session === undefined) return;
  const message: SessionMessage = {
    sourceType: "Session",
    eventType: v.parse(sessionChange, change),
    detail: { session, ...(namesChanged === true && { namesChanged }), version: session.version, serverTime },
  };
  yield [fact === undefined ? forSession(sessionId, message) : forSessionAbout(fact, sessionId, message)];
}

/** A player has another name: a message to everyone in the live sessions that the player has joined. */
export async function* buildRenameMessages(
  context: MessageContext,
  { userId }: { userId: number },
): Messages {
  const joined = await context.tx
    .select({ sessionId: registrations.sessionId })
    .from(registrations)
    .innerJoin(sessions, eq(sessions.id, registrations.sessionId))
    .where(and(eq(registrations.userId, userId), inArray(sessions.state, ["running", "paused"])));
  for (const { sessionId } of joined)
    yield* buildSessionMessages(context, { sessionId, change: "update", namesChanged: true });
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

/** A new, changed or deleted chat message, to everyone who may see the chat. A deleted one has an empty body. */
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
