import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { messages } from "#db/schema/messages.ts";
import { type Actor, writePersonalAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { notFound } from "#src/base/refusal.ts";

/**
 * Deletes a message for all players: it stays in the chat without its text, which only the audit log keeps. Deleting it again
 * changes nothing.
 * @throws Refusal 404 for an unknown message.
 */
export async function destroyMessage(
  deps: Deps,
  { messageId, actor }: { messageId: number; actor: Actor },
): Promise<void> {
  await inTransaction(deps.pool.db, async (tx) => {
    const [deleted] = await tx
      .update(messages)
      .set({ deletedAt: sql`game_now()` })
      .where(and(eq(messages.id, messageId), isNull(messages.deletedAt)))
      .returning();
    if (deleted === undefined) {
      if ((await tx.$count(messages, eq(messages.id, messageId))) === 0) throw notFound();
      return;
    }
    await writeFact(tx, { kind: "message_destroyed", messageId });
    const { sessionId, userId, body } = deleted;
    const subject = { type: "message", id: messageId } as const;
    await writePersonalAudit(
      tx,
      { actor, action: "destroy_message", subject, sessionId },
      { userId, before: { userId, body }, after: {} },
    );
  });
  deps.notifyRelay();
}
