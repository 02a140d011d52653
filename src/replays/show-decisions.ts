import type { Queryable } from "#db/client.ts";
import { listDecisions } from "#db/ledger/decisions/list-decisions.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { DecisionView } from "./schemas.ts";

/** The most decisions of an answer: corrections included, far more than a show has. */
const DECISIONS_MAX = 5_000;

/**
 * All decisions on the payouts of a session, oldest first: each result, each correction, and what a reset refunded.
 * @throws Refusal 404 for an unknown session.
 */
export async function showDecisions(db: Queryable, slugOrId: string): Promise<DecisionView[]> {
  const { id: sessionId } = await requireSession(db, slugOrId);
  const decisions = await listDecisions(db, { sessionId, limit: DECISIONS_MAX });
  return decisions.map(({ createdAt, effectiveAt, ...decision }) => ({
    ...decision,
    effectiveAt: effectiveAt?.toISOString() ?? null,
    decidedAt: createdAt.toISOString(),
  }));
}
