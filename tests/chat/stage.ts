import { asc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { createMessage, type NewMessage } from "#src/chat/create-message.ts";
import type { Role } from "#db/lists/users.ts";

/** A player of the chat; an admin where the roles say so. */
export function speaker({ id }: { id: number }, roles: Role[] = []): NewMessage["viewer"] {
  return { id, guest: false, roles };
}

let spoken = 0;

/** Writes "Hello" as somebody, unless it says otherwise. Answers the message's id. */
export async function say(
  deps: Deps,
  speech: Pick<NewMessage, "viewer" | "sessionId"> & Partial<NewMessage>,
): Promise<number> {
  spoken += 1;
  const { messageId } = await createMessage(deps, { body: "Hello", clientId: `said-${spoken}`, ...speech });
  return messageId;
}

/** A message as the database holds it, long ago, so that nobody has to wait. */
export async function buildMessage(
  { pool }: Pick<Deps, "pool">,
  terms: { sessionId: number; userId: number; body?: string },
): Promise<number> {
  const [row] = await pool.db
    .insert(messages)
    .values({ body: "Hello", clientId: crypto.randomUUID(), createdAt: new Date(0), ...terms })
    .returning({ id: messages.id });
  if (row === undefined) throw new Error("no message");
  return row.id;
}

/** Everything that the chat changes, to be compared before and after a refusal. */
export async function readChat({ pool }: Pick<Deps, "pool">) {
  const { db } = pool;
  return {
    messages: await db.select().from(messages).orderBy(asc(messages.id)),
    mutes: await db.select().from(mutes).orderBy(asc(mutes.id)),
    facts: await db.$count(outbox),
    audit: await db.$count(audit),
  };
}

/** What was written to the audit log about a message or a user. */
export function auditOf({ pool }: Pick<Deps, "pool">, subjectId: number) {
  return pool.db.select().from(audit).where(eq(audit.subjectId, subjectId)).orderBy(asc(audit.id));
}
