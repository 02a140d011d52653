import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { messages } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import type { MessageView } from "./schemas.ts";

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

/** Messages by their ids, oldest first. */
export async function findMessagesById(db: Queryable, ids: readonly number[]): Promise<MessageView[]> {
  if (ids.length === 0) return [];
  const rows = await selectMessages(db)
    .where(inArray(messages.id, [...ids]))
    .orderBy(asc(messages.id));
  return rows.map(presentMessage);
}

/** One message that is known to exist. */
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
  const { createdAt, deletedAt, approvedAt, ...row } = message;
  return {
    ...row,
    username,
    avatar: presentAvatar(avatar),
    body: deletedAt === null ? row.body : "",
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
    approvedAt: approvedAt?.toISOString() ?? null,
  };
}
