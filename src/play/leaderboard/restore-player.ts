import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { notFound } from "#src/base/refusal.ts";

/**
 * Deletes an exclusion: the player is ranked again, with everything played in the meantime.
 * @throws Refusal 404 for an unknown exclusion, or one that is already deleted.
 */
export async function restorePlayer(
  deps: Deps,
  { actor, exclusionId }: { actor: { id: number }; exclusionId: number },
): Promise<void> {
  await inTransaction(deps.pool.db, async (tx) => {
    const [deleted] = await tx.delete(exclusions).where(eq(exclusions.id, exclusionId)).returning();
    if (deleted === undefined) throw notFound();
    const { userId, sessionId, reason } = deleted;
    await writeAudit(tx, {
      actor,
      action: "readmit",
      subject: { type: "user", id: userId },
      sessionId,
      before: { excluded: true, reason },
      after: { excluded: false },
    });
    await recordPlayerChange(tx, { userId, sessionId });
  });
  deps.notifyRelay();
}
