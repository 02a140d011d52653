import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { tellTables } from "./tell-tables.ts";

/**
 * Ranks an excluded player again, with all that was counted meanwhile.
 * @throws Refusal 404 where there is no such exclusion (any more).
 */
export async function readmitPlayer(
  deps: Deps,
  { actor, exclusionId }: { actor: { id: number }; exclusionId: number },
): Promise<void> {
  await inTransaction(deps.pool.db, async (tx) => {
    const [gone] = await tx.delete(exclusions).where(eq(exclusions.id, exclusionId)).returning();
    if (gone === undefined) throw notFound();
    const { userId, sessionId, reason } = gone;
    await writeAudit(tx, {
      actor,
      action: "readmit",
      subject: { type: "user", id: userId },
      sessionId,
      before: { excluded: true, reason },
      after: { excluded: false },
    });
    await tellTables(tx, { userId, sessionId });
  });
  deps.notifyRelay();
}
