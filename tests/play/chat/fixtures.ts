import { asc, eq } from "drizzle-orm";
import type { Role } from "#db/lists/users.ts";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { createMessage, type NewMessage } from "#src/play/chat/create-message.ts";

/** A user as the viewer who writes a message. */
export function viewerOf({ id }: { id: number }, roles: Role[] = []): NewMessage["viewer"] {
  return { id, guest: false, roles, hostOf: [] };
}

let sentCount = 0;

/**
 * Writes a message, "Hello" by default.
 * @returns the message's id.
 */
export async function sendMessage(
  deps: Deps,
  message: Pick<NewMessage, "viewer" | "sessionId"> & Partial<NewMessage>,
): Promise<number> {
  sentCount += 1;
  const { messageId } = await createMessage(deps, {
    body: "Hello",
    clientId: `sent-${sentCount}`,
    ...message,
  });
  return messageId;
}

/** Inserts an old message, so that the rate limit does not apply. */
export async function buildMessage(
  { pool }: Pick<Deps, "pool">,
  terms: { sessionId: number; userId: number; body?: string },
): Promise<number> {
  const [row] = await pool.db
    .insert(messages)
    .values({ body: "Hello", clientId: crypto.randomUUID(), createdAt: new Date(0), ...terms })
    .returning({ id: messages.id });
  if (row === undefined) throw new Error("the insert returned no row");
  return row.id;
}

/** All rows that the chat could change, to compare before and after. */
export async function readChat({ pool }: Pick<Deps, "pool">) {
  const { db } = pool;
  return {
    messages: await db.select().from(messages).orderBy(asc(messages.id)),
    mutes: await db.select().from(mutes).orderBy(asc(mutes.id)),
    facts: await db.$count(outbox),
    audit: await db.$count(audit),
  };
}

/** The entries of the audit log about a message or a user, with the values that are personal. */
export async function auditOf({ pool }: Pick<Deps, "pool">, subjectId: number) {
  const rows = await pool.db
    .select({ line: audit, personal: auditPersonal })
    .from(audit)
    .leftJoin(auditPersonal, eq(auditPersonal.auditId, audit.id))
    .where(eq(audit.subjectId, subjectId))
    .orderBy(asc(audit.id));
  return rows.map(({ line, personal }) => ({
    ...line,
    before: personal?.before ?? line.before,
    after: personal?.after ?? line.after,
  }));
}
