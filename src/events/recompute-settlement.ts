import type { Queryable } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import { listSettledCalls, type SettledCall } from "#db/ledger/list-settled-calls.ts";
import { computePayouts } from "#src/calls/compute-payouts.ts";
import { dollarsOf } from "#src/http/money.ts";
import { invalid } from "#src/http/refusal.ts";
import type { Viewer } from "#src/users/viewer.ts";
import type { RecomputationView } from "./contract.ts";
import { showEvent } from "./show-event.ts";

/** More would keep the process from everybody else for too long; the command for the books checks those as well. */
const CALLS_MAX = 100_000;
const DIFFERENCES_TOLD = 20;

/**
 * Computes anew what every call of an event should have been paid, and compares it with what the books say it was.
 * @throws Refusal 404 for an event that this viewer may not see; 422 where there is no result yet, or too many calls.
 */
export async function recomputeSettlement(
  db: Queryable,
  { eventId, viewer, callsMax = CALLS_MAX }: { eventId: number; viewer: Viewer; callsMax?: number },
  now: Date,
): Promise<{ recomputation: RecomputationView }> {
  await showEvent(db, { eventId, viewer }, now);
  if ((await findSettlement(db, eventId)) === null) throw unsettled();
  const calls = await listSettledCalls(db, { eventId, limit: callsMax + 1 });
  if (calls.length > callsMax) throw tooManyCalls();
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
