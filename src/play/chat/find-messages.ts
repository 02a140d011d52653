import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { present } from "#src/http/present.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { MESSAGES_SHOWN } from "./contract.ts";
import {
  type MessagesAnswer,
  messageSchema,
  type messagesQuery,
  type MessageView,
  type MuteView,
} from "./schemas.ts";

const findRunningMute = prepareQuery((db) => {
  const ofSession = eq(mutes.sessionId, sql.placeholder("sessionId"));
  const ofUser = eq(mutes.userId, sql.placeholder("userId"));
  return db
    .select({ userId: mutes.userId, until: mutes.until, reason: mutes.reason })
    .from(mutes)
    .where(and(ofSession, ofUser, gt(mutes.until, sql`game_now()`)))
    .prepare("find_mute");
});

/**
 * The newest messages of a session, oldest first.
 * @param before a message's id: only those before it; undefined: the newest of all.
 */
export async function findMessages(
  db: Queryable,
  { sessionId, before, limit }: { sessionId: number; before: number | undefined; limit: number },
): Promise<MessageView[]> {
  const newest = findNewest(db, before === undefined ? "newest" : "earlier");
  const rows = await newest.execute({ sessionId, before, limit });
  return rows.map(presentMessage).toReversed();
}

const findNewest = prepareQuery(
  (db, which: "newest" | "earlier") => {
    const isEarlier = which === "newest" ? undefined : lt(messages.id, sql.placeholder("before"));
    return selectMessages(db)
      .where(and(eq(messages.sessionId, sql.placeholder("sessionId")), isEarlier))
      .orderBy(desc(messages.id))
      .limit(sql.placeholder("limit"))
      .prepare("find_messages");
  },
  (which) => which,
);

export async function findMessagesById(db: Queryable, ids: readonly number[]): Promise<MessageView[]> {
  if (ids.length === 0) return [];
  const rows = await selectMessages(db)
    .where(inArray(messages.id, [...ids]))
    .orderBy(asc(messages.id));
  return rows.map(presentMessage);
}

export async function findMessage(db: Queryable, id: number): Promise<MessageView> {
  const [message] = await findMessagesById(db, [id]);
  if (message === undefined) throw new Error(`message ${id} not found`);
  return message;
}

function selectMessages(db: Queryable) {
  return db
    .select({ message: messages, username: users.username, avatar: users.avatar })
    .from(messages)
    .innerJoin(users, eq(users.id, messages.userId));
}

type Row = Awaited<ReturnType<typeof selectMessages>>[number];

/** A deleted message stays, with an empty text. */
function presentMessage({ message, username, avatar }: Row): MessageView {
  const body = message.deletedAt === null ? message.body : "";
  return present(messageSchema, { ...message, username, avatar: presentAvatar(avatar), body });
}

type ListMessages = { viewer: Pick<Viewer, "id" | "roles">; query: v.InferOutput<typeof messagesQuery> };

/** The newest 50 messages of a session, or the 50 before a message; with the viewer's mute, if there is one. */
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
