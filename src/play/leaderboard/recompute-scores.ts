import { inTransaction } from "#db/client.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { repairScores } from "./repair-scores.ts";
import type { RecomputeAnswer } from "./schemas.ts";

/**
 * Recomputes the scores of a session (or of all) from the calls, and repairs those that differ.
 * @throws Refusal 404 for an unknown session.
 */
export async function recomputeScores(
  deps: Deps,
  { actor, sessionId: slugOrId }: { actor: { id: number }; sessionId?: string | undefined },
): Promise<RecomputeAnswer> {
  const sessionId = (await requireSessionId(deps.pool.db, slugOrId, "host")) ?? null;
  const mendedPlayersCount = await inTransaction(deps.pool.db, async (tx) => {
    const { size } = await repairScores(tx, sessionId);
    await writeAudit(tx, {
      actor,
      action: "recompute_scores",
      subject: sessionId === null ? { type: "leaderboard", id: 0 } : { type: "session", id: sessionId },
      sessionId,
      before: {},
      after: { mendedPlayersCount: size },
    });
    if (size > 0 && sessionId !== null) await writeFact(tx, { kind: "leaders_changed", sessionId });
    return size;
  });
  deps.notifyRelay();
  return { recomputation: { mendedPlayersCount } };
}
