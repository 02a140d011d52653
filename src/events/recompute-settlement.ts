import { sql } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import { listSettledCalls, type SettledCall } from "#db/ledger/list-settled-calls.ts";
import { computePayouts } from "#src/calls/compute-payouts.ts";
import { dollarsOf } from "#src/http/money.ts";
import { invalid } from "#src/http/refusal.ts";
import type { Viewer } from "#src/users/viewer.ts";
import type { RecomputationView } from "./contract.ts";
import { showEvent } from "./show-event.ts";

/** More would keep the process from everybody else for too long; the check of the books covers those as well. */
const CALLS_MAX = 100_000;
const PAGE_SIZE = 5_000;
const DIFFERENCES_TOLD = 20;

/**
 * Computes anew what every call of an event should have been paid, and compares it with what the books say it was.
 * @throws Refusal 404 for an event that this viewer may not see; 422 where there is no result yet, or too many calls.
 */
export async function recomputeSettlement(
  db: Database,
  { eventId, viewer, callsMax = CALLS_MAX }: { eventId: number; viewer: Viewer; callsMax?: number },
  now: Date,
): Promise<{ recomputation: RecomputationView }> {
  await showEvent(db, { eventId, viewer }, now);
  if ((await findSettlement(db, eventId)) === null) throw unsettled();
  const calls = await readSettledCalls(db, { eventId, callsMax });
  const differences = differencesIn(calls);
  const paidCents = calls.reduce((sum, call) => sum + call.paidCents, 0);
  return {
    recomputation: {
      callsCount: calls.length,
      paid: dollarsOf(paidCents),
      paidCents,
      differencesCount: differences.length,
      differences: differences
        .slice(0, DIFFERENCES_TOLD)
        .map(({ userId, ...difference }) => ({ ...difference, mine: userId === viewer.id })),
      checkedAt: now.toISOString(),
    },
  };
}

/** All calls of the event as one snapshot has them, so that a correction meanwhile is in it as a whole or not at all. */
function readSettledCalls(
  db: Database,
  { eventId, callsMax }: { eventId: number; callsMax: number },
): Promise<SettledCall[]> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    const calls: SettledCall[] = [];
    for (;;) {
      const afterId = calls.at(-1)?.callId ?? 0;
      const page = await listSettledCalls(tx, { eventId, afterId, limit: PAGE_SIZE });
      calls.push(...page);
      if (calls.length > callsMax) throw tooManyCalls();
      if (page.length < PAGE_SIZE) return calls;
    }
  });
}

/** The calls that were paid something else than the formula says. */
export function differencesIn(calls: readonly SettledCall[]) {
  const [first] = calls;
  if (first === undefined) return [];
  const payouts = computePayouts(calls, first);
  return calls
    .map(({ callId, userId, wagerCents, paidCents }) => {
      const expectedCents = payouts.get(callId)?.payoutCents ?? wagerCents;
      return { callId, userId, wagerCents, paidCents, expectedCents };
    })
    .filter(({ paidCents, expectedCents }) => paidCents !== expectedCents);
}

function unsettled() {
  return invalid(
    { result: ["is required"] },
    { code: "unsettled", detail: "There is nothing to recompute before the result." },
  );
}

function tooManyCalls() {
  const detail = "This action has too many calls to recompute them while you wait.";
  return invalid({ calls: ["are too many"] }, { code: "too_many_calls", detail });
}
