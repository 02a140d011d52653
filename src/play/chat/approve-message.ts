import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { messages } from "#db/schema/messages.ts";
import { type Actor, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { invalid, notFound } from "#src/base/refusal.ts";

/**
 * Lets a message on the big screen of a session whose messages are approved. Approving it again changes nothing.
 * @throws Refusal 404 for an unknown message; 422 for a deleted one.
 */
export async function approveMessage(
  deps: Deps,
  { messageId, actor }: { messageId: number; actor: Actor },
): Promise<void> {
  await inTransaction(deps.pool.db, async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages.id, messageId)).for("update");
    if (message === undefined) throw notFound();
    if (message.deletedAt !== null)
      throw invalid({ message: ["is invalid"] }, { detail: "This message was removed." });
    if (message.approvedAt !== null) return;
    await tx
      .update(messages)
      .set({ approvedAt: sql`game_now()` })
      .where(eq(messages.id, messageId));
    await writeFact(tx, { kind: "message_changed", messageId });
    await writeAudit(tx, {
      actor,
      action: "approve_message",
      subject: { type: "message", id: messageId },
      sessionId: message.sessionId,
      before: {},
      after: {},
    });
  });
  deps.notifyRelay();
}
