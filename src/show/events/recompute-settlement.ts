import { sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import { listSettledCalls, type SettledCall } from "#db/ledger/list-settled-calls.ts";
import { listStakes, type SettledStakes } from "#db/ledger/list-stakes.ts";
import { invalid } from "#src/base/refusal.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { comparePayouts } from "#src/play/settlements/compare-payouts.ts";
import { finishPaying } from "#src/play/settlements/finish-paying.ts";
import type { PayDeps } from "#src/play/settlements/pay-settlement.ts";
import type { RecomputationView } from "#src/play/settlements/schemas.ts";
import { showEvent } from "./show-event.ts";

/** More calls take too long for one request. The check of the books covers those events. */
const CALLS_MAX = 1_000_000;
const PAGE_SIZE = 5_000;
const LOOK_AGAIN = "Look again afterwards.";

/**
 * Recomputes what every call of an event should have been paid, and compares it with the ledger. The database paid by its own
 * implementation of the formula, in SQL; this one is in TypeScript (src/play/calls/compute-payouts.ts), so that a mistake in one
 * cannot confirm itself.
 * @throws Refusal 404 for an event that this viewer may not see; 422 without a result, or with too many calls; 409 while a
 *   large settlement is being paid.
 */
export async function recomputeSettlement(
  deps: PayDeps,
  { eventId, viewer, callsMax = CALLS_MAX }: { eventId: number; viewer: Viewer; callsMax?: number },
  now: Date,
): Promise<{ recomputation: RecomputationView }> {
  const { db } = deps.pool;
  await showEvent(db, { eventId, viewer }, now);
  await finishPaying(deps, eventId, LOOK_AGAIN);
  // One snapshot: it contains a concurrent correction completely or not at all.
  const { paidCents, differences, ...counts } = await inTransaction(db, async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    await requireResult(tx, eventId);
    const stakes = await listStakes(tx, eventId);
    if (countOf(stakes) > callsMax) throw tooManyCalls();
    return comparePayouts(stakes, readSettledCalls(tx, eventId));
  });
  return {
    recomputation: {
      ...counts,
      paid: dollarsOf(paidCents),
      paidCents,
      differences: differences.map(({ userId, ...difference }) => ({
        ...difference,
        mine: userId === viewer.id,
      })),
      checkedAt: now.toISOString(),
    },
  };
}

async function* readSettledCalls(tx: Transaction, eventId: number): AsyncGenerator<SettledCall[]> {
  let afterId = 0;
  for (;;) {
    const page = await listSettledCalls(tx, { eventId, afterId, limit: PAGE_SIZE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = last.callId;
  }
}

async function requireResult(tx: Transaction, eventId: number): Promise<void> {
  if ((await findSettlement(tx, eventId)) === null) {
    const detail = "There is nothing to recompute before the result.";
    throw invalid({ result: ["is required"] }, { code: "unsettled", detail });
  }
}

const countOf = (stakes: readonly SettledStakes[]) =>
  stakes.reduce((sum, { callsCount }) => sum + callsCount, 0);

function tooManyCalls() {
  const detail = "This action has too many calls to recompute them while you wait.";
  return invalid({ calls: ["are too many"] }, { code: "too_many_calls", detail });
}
