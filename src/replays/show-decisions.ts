import type { Queryable } from "#db/client.ts";
import { findDecision, listDecisions } from "#db/ledger/list-settled-calls.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { dollarsOf } from "#src/http/money.ts";
import { present } from "#src/http/present.ts";
import { COMPARED_CALLS_MAX, recomputePayouts } from "#src/play/settlements/compare-payouts.ts";
import { finishPaying, type PayDeps } from "#src/play/settlements/pay-settlement.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { type DecisionCheckAnswer, decisionSchema, type DecisionView } from "./schemas.ts";

/** The most decisions of an answer: corrections included, far more than a show has. */
const DECISIONS_MAX = 5_000;

/** All decisions on the payouts of a session, oldest first: each result, each correction, and what a reset refunded. */
export async function showDecisions(db: Queryable, slugOrId: string): Promise<DecisionView[]> {
  const { id: sessionId } = await requireSession(db, slugOrId);
  const decisions = await listDecisions(db, { sessionId, limit: DECISIONS_MAX });
  return decisions.map((row) => present(decisionSchema, { ...row, decidedAt: row.createdAt }));
}

/**
 * Recomputes the payouts of one decision by the second implementation of the formula (src/play/calls/compute-payouts.ts), and compares
 * them with what the ledger paid; for a decision that was replaced, with what it decided.
 * @throws Refusal 404 for an unknown decision, 422 with too many calls, 409 while a large settlement is being paid.
 */
export async function recomputeDecision(
  deps: PayDeps,
  id: number,
  { callsMax = COMPARED_CALLS_MAX }: { callsMax?: number } = {},
): Promise<DecisionCheckAnswer> {
  const { db } = deps.pool;
  const decision = await findDecision(db, id);
  if (decision === null) throw notFound();
  if (decision.callsCount > callsMax) {
    const detail = "This decision has too many calls to recompute them while you wait.";
    throw invalid({ calls: ["are too many"] }, { code: "too_many_calls", detail });
  }
  if (!decision.superseded) await finishPaying(deps, decision.eventId, "Check it again afterwards.");
  const { paidCents, differences, ...counts } = await recomputePayouts(db, { settlementId: id });
  return {
    check: {
      id,
      ...counts,
      paid: dollarsOf(paidCents),
      paidCents,
      differences: differences.map(({ userId: _userId, ...difference }) => difference),
    },
  };
}
