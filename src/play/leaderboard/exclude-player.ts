import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { recordPlayerChange } from "#src/base/outbox/record-leaderboard-change.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { lockAgainstDeletion, requireSessionId } from "#src/play/find-session-id.ts";
import { findExclusions } from "./find-exclusions.ts";
import type { ExcludeBody, ExclusionView } from "./schemas.ts";

export type ExcludePlayer = ExcludeBody & { actor: { id: number } };

/**
 * Excludes a player from a session's leaderboard, or from every leaderboard if no session is named.
 *
 * An exclusion only hides: scores, streaks and wallets of an excluded player keep counting, and only the leaderboards leave
 * the player out. So restoring a player needs no recomputation, and the check of scores against calls ignores exclusions.
 * @throws Refusal 422 for an unknown user and if the user is already excluded there; 404 for an unknown session.
 */
export async function excludePlayer(
  deps: Deps,
  order: ExcludePlayer,
  keyed: MaybeKeyed = null,
): Promise<{ exclusion: ExclusionView }> {
  const exclusion = await inTransaction(deps.pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => exclude(tx, order));
    return stillThere(await findExclusions(tx, eq(exclusions.id, id), { limit: 1, offset: 0 }));
  });
  deps.notifyRelay();
  return { exclusion };
}

async function exclude(
  tx: Transaction,
  { actor, userId, sessionId: slugOrId, reason }: ExcludePlayer,
): Promise<{ id: number }> {
  const sessionId = (await requireSessionId(tx, slugOrId ?? undefined, "host")) ?? null;
  if (sessionId !== null) await lockAgainstDeletion(tx, sessionId);
  await requireUser(tx, userId);
  const [row] = await tx
    .insert(exclusions)
    .values({ userId, sessionId, reason, excludedById: actor.id })
    .onConflictDoNothing()
    .returning({ id: exclusions.id });
  if (row === undefined)
    throw invalid({ user: ["has already been taken"] }, { detail: "This player is excluded there already." });
  await writeAudit(tx, {
    actor,
    action: "exclude",
    subject: { type: "user", id: userId },
    sessionId,
    before: { excluded: false },
    after: { excluded: true },
    reason,
  });
  await recordPlayerChange(tx, { userId, sessionId });
  return row;
}

async function requireUser(tx: Transaction, userId: number): Promise<void> {
  if ((await tx.$count(users, eq(users.id, userId))) === 0) throw invalid({ user: ["must exist"] });
}

/** Deletes an exclusion: the player is ranked again, with everything played in the meantime. */
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
