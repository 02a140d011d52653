import { and, eq, gt, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { mutes } from "#db/schema/messages.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { MESSAGES_SHOWN } from "./contract.ts";
import { findMessages } from "./find-messages.ts";
import type { MuteView, MessagesAnswer, messagesQuery } from "./schemas.ts";

type ListMessages = { viewer: Pick<Viewer, "id" | "roles">; query: v.InferOutput<typeof messagesQuery> };

/**
 * The newest 50 messages of a session, or the 50 before a message; with the viewer's mute, if there is one.
 * @throws Refusal 404 for an unknown session.
 */
export async function listMessages(
  db: Queryable,
  { viewer, query }: ListMessages,
  now: Date,
): Promise<MessagesAnswer> {
  const sessionId = await requireSessionId(db, query.sessionId, viewer);
  // One more than a page shows whether there are older messages.
  const [newest, muted] = await Promise.all([
    findMessages(db, { sessionId, before: query.before, limit: MESSAGES_SHOWN + 1 }),
    findMute(db, { sessionId, userId: viewer.id }),
  ]);
  const messages = newest.slice(-MESSAGES_SHOWN);
  const before = newest.length > messages.length ? (messages[0]?.id ?? null) : null;
  return { messages, meta: { before, muted, serverTime: now.toISOString() } };
}

/** A player's running mute in a session; null if there is none. */
async function findMute(
  db: Queryable,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<MuteView | null> {
  const [row] = await findRunningMute(db).execute({ sessionId, userId });
  return row === undefined ? null : { ...row, until: row.until.toISOString() };
}

const findRunningMute = prepareQuery((db) => {
  const ofSession = eq(mutes.sessionId, sql.placeholder("sessionId"));
  const ofUser = eq(mutes.userId, sql.placeholder("userId"));
  return db
    .select({ userId: mutes.userId, until: mutes.until, reason: mutes.reason })
    .from(mutes)
    .where(and(ofSession, ofUser, gt(mutes.until, sql`game_now()`)))
    .prepare("find_mute");
});
