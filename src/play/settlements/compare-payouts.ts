import type { SettledCall } from "#db/ledger/list-settled-calls.ts";
import type { SettledStakes } from "#db/ledger/list-stakes.ts";
import { dividePool, stakeOf } from "#src/play/calls/compute-payouts.ts";

const DIFFERENCES_LISTED_MAX = 20;

type Difference = Pick<SettledCall, "callId" | "userId" | "wagerCents" | "paidCents"> & {
  expectedCents: number;
};
export type PayoutsComparison = {
  callsCount: number;
  paidCents: number;
  differencesCount: number;
  /** The first ones. */
  differences: Difference[];
};

/**
 * Compares the payouts of a settlement with the formula, page by page: a million calls need no more memory than one page.
 * @param stakes the stakes of all these calls.
 * @param pages all calls, ordered by id.
 */
export async function comparePayouts(
  stakes: readonly SettledStakes[],
  pages: AsyncIterable<readonly SettledCall[]>,
): Promise<PayoutsComparison> {
  const comparison: PayoutsComparison = { callsCount: 0, paidCents: 0, differencesCount: 0, differences: [] };
  let pay: ReturnType<typeof dividePool> | undefined;
  for await (const page of pages) {
    for (const call of page) {
      pay ??= dividePool(stakes, call);
      addCall(comparison, call, pay(stakeOf(call, call)).payoutCents);
    }
  }
  return comparison;
}

function addCall(comparison: PayoutsComparison, call: SettledCall, expectedCents: number): void {
  const { callId, userId, wagerCents, paidCents } = call;
  comparison.callsCount += 1;
  comparison.paidCents += paidCents;
  if (paidCents === expectedCents) return;
  comparison.differencesCount += 1;
  if (comparison.differences.length < DIFFERENCES_LISTED_MAX) {
    comparison.differences.push({ callId, userId, wagerCents, paidCents, expectedCents });
  }
}
