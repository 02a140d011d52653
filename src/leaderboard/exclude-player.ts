import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { exclusions } from "#db/schema/exclusions.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { findSessionId } from "#src/calls/find-session-id.ts";
import { findExclusions } from "./find-exclusions.ts";
import type { ExcludeBody, ExclusionView } from "./schemas.ts";
import { tellTables } from "./tell-tables.ts";

export type Excluding = ExcludeBody & { actor: { id: number } };

/**
 * Takes a player out of the leaders and ranks of a session, or of every table where none is named. Scores are counted on, so
 * that nothing is lost when the player is ranked again.
 * @throws Refusal 422 where there is no such user or the user is excluded there already; 404 for an unknown session.
 */
export async function excludePlayer(
  deps: Deps,
  { actor, userId, sessionId: slugOrId, reason }: Excluding,
): Promise<{ exclusion: ExclusionView }> {
  const exclusion = await inTransaction(deps.pool.db, async (tx) => {
    const sessionId = (await findSessionId(tx, slugOrId ?? undefined)) ?? null;
    await requireUser(tx, userId);
    const [row] = await tx
      .insert(exclusions)
      .values({ userId, sessionId, reason, excludedById: actor.id })
      .onConflictDoNothing()
      .returning();
    if (row === undefined) throw excludedAlready();
    await writeAudit(tx, {
      actor,
      action: "exclude",
      subject: { type: "user", id: userId },
      sessionId,
      before: { excluded: false },
      after: { excluded: true },
      reason,
    });
    await tellTables(tx, { userId, sessionId });
    return readBack(tx, row.id);
  });
  deps.notifyRelay();
  return { exclusion };
}

async function requireUser(tx: Transaction, userId: number): Promise<void> {
  if ((await tx.$count(users, eq(users.id, userId))) === 0) throw invalid({ user: ["must exist"] });
}

async function readBack(tx: Transaction, exclusionId: number): Promise<ExclusionView> {
  const which = eq(exclusions.id, exclusionId);
  const [exclusion] = await findExclusions(tx, which, { limit: 1, offset: 0 });
  if (exclusion === undefined) throw new Error("what was just inserted is not there");
  return exclusion;
}

function excludedAlready() {
  return invalid({ user: ["has already been taken"] }, { detail: "This player is excluded there already." });
}
