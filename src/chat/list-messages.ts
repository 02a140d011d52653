import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { MESSAGES_SHOWN } from "./contract.ts";
import { findMessages } from "./find-messages.ts";
import { findMute } from "./find-mute.ts";
import type { MessagesAnswer, messagesQuery } from "./schemas.ts";

type Asked = { viewer: { id: number }; query: v.InferOutput<typeof messagesQuery> };

/**
 * The newest 50 messages of a session, or those before one of them.
 * @throws Refusal 404 for an unknown session.
 */
export async function listMessages(
  db: Queryable,
  { viewer, query }: Asked,
  now: Date,
): Promise<MessagesAnswer> {
  const sessionId = await findSessionId(db, query.sessionId);
  // One more says whether there are older ones.
  const wanted = { sessionId, before: query.before, limit: MESSAGES_SHOWN + 1 };
  const [found, muted] = await Promise.all([
    findMessages(db, wanted),
    findMute(db, { sessionId, userId: viewer.id }),
  ]);
  const messages = found.slice(-MESSAGES_SHOWN);
  const before = found.length > messages.length ? (messages[0]?.id ?? null) : null;
  return { messages, meta: { before, muted, serverTime: now.toISOString() } };
}
