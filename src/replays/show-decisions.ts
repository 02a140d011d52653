import { sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import {
  findDecision,
  listDecidedCalls,
  listDecidedStakes,
  listDecisions,
} from "#db/ledger/decisions/list-decisions.ts";
import type { SettledCall } from "#db/ledger/list-settled-calls.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { dollarsOf } from "#src/http/money.ts";
import { comparePayouts } from "#src/play/settlements/compare-payouts.ts";
import { finishPaying } from "#src/play/settlements/finish-paying.ts";
import type { PayDeps } from "#src/play/settlements/pay-settlement.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { DecisionCheckAnswer, DecisionView } from "./schemas.ts";

/** The most decisions of an answer: corrections included, far more than a show has. */
const DECISIONS_MAX = 5_000;

/** More calls take too long for one request. The check of the books covers those events. */
const CALLS_MAX = 1_000_000;
const PAGE_SIZE = 5_000;

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

/**
 * Recomputes the payouts of one decision by the second implementation of the formula (src/play/calls/compute-payouts.ts), and compares
 * them with what the ledger paid; for a decision that was replaced, with what it decided.
 * @throws Refusal 404 for an unknown decision, 422 with too many calls, 409 while a large settlement is being paid.
 */
export async function recomputeDecision(
  deps: PayDeps,
  id: number,
  { callsMax = CALLS_MAX }: { callsMax?: number } = {},
): Promise<DecisionCheckAnswer> {
  const { db } = deps.pool;
  const decision = await findDecision(db, id);
  if (decision === null) throw notFound();
  if (decision.callsCount > callsMax) {
    const detail = "This decision has too many calls to recompute them while you wait.";
    throw invalid({ calls: ["are too many"] }, { code: "too_many_calls", detail });
  }
  if (!decision.superseded) await finishPaying(deps, decision.eventId, "Check it again afterwards.");
  // One snapshot: it contains a concurrent correction completely or not at all.
  const { paidCents, differences, ...counts } = await inTransaction(db, async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    return comparePayouts(await listDecidedStakes(tx, id), readCalls(tx, id));
  });
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

async function* readCalls(tx: Transaction, settlementId: number): AsyncGenerator<SettledCall[]> {
  let afterId = 0;
  for (;;) {
    const page = await listDecidedCalls(tx, { settlementId, afterId, limit: PAGE_SIZE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = last.callId;
  }
}
