import { and, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { messages, mutes } from "#db/schema/messages.ts";
import { users } from "#db/schema/users.ts";
import { type Actor, writeAudit, writePersonalAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { lockAgainstDeletion, requireSessionId } from "#src/play/find-session-id.ts";
import type { createMuteBody, MuteView } from "./schemas.ts";

const mutedUntil = v.object({ until: v.string() });

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
    });
  });
  deps.notifyRelay();
}

/**
 * Deletes a message for all players: it stays in the chat without its text, which only the audit log keeps. Deleting it again
 * changes nothing.
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

/**
 * Mutes a player in a session's chat for `minutes` from now. It replaces a running mute.
 * @throws Refusal 404 for an unknown session; 422 for an unknown user, and if the actor mutes itself.
 */
export async function mutePlayer(
  deps: Deps,
  { actor, userId, ...mute }: v.InferOutput<typeof createMuteBody> & { actor: Actor },
  keyed: MaybeKeyed = null,
): Promise<MuteView> {
  if (userId === actor?.id)
    throw invalid({ userId: ["is invalid"] }, { detail: "You cannot mute yourself." });
  const sessionId = await requireSessionId(deps.pool.db, mute.sessionId, "host");
  const { minutes, reason } = mute;
  const muted = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, mutedUntil, async () => {
      await lockAgainstDeletion(tx, sessionId);
      if ((await tx.$count(users, eq(users.id, userId))) === 0) throw invalid({ user: ["must exist"] });
      const changes = { until: sql`game_now() + make_interval(mins => ${minutes})`, reason };
      const [row] = await tx
        .insert(mutes)
        .values({ sessionId, userId, ...changes })
        .onConflictDoUpdate({ target: [mutes.sessionId, mutes.userId], set: changes })
        .returning();
      if (row === undefined) throw new Error("the upsert of a mute returned no row");
      await writeAudit(tx, {
        actor,
        action: "mute",
        subject: { type: "user", id: userId },
        sessionId,
        after: { minutes },
        reason,
      });
      return { until: row.until.toISOString() };
    }),
  );
  return { userId, ...muted, reason };
}
