import type { SettledCall } from "#db/ledger/list-settled-calls.ts";
import type { SettledStakes } from "#db/ledger/list-stakes.ts";
import { dividePool, stakeOf } from "#src/calls/compute-payouts.ts";

const DIFFERENCES_TOLD = 20;

type Difference = Pick<SettledCall, "callId" | "userId" | "wagerCents" | "paidCents"> & {
  expectedCents: number;
};
export type PayoutsComparison = {
  callsCount: number;
  paidCents: number;
  differencesCount: number;
  /** The first of them. */
  differences: Difference[];
};

/**
 * Holds what calls were paid against the formula, page by page, so that a million of them take no more room than one page.
 * @param stakes of all these calls together.
 * @param pages all calls, in the order of their ids.
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
      note(comparison, call, pay(stakeOf(call, call)).payoutCents);
    }
  }
  return comparison;
}

function note(comparison: PayoutsComparison, call: SettledCall, expectedCents: number): void {
  const { callId, userId, wagerCents, paidCents } = call;
  comparison.callsCount += 1;
  comparison.paidCents += paidCents;
  if (paidCents === expectedCents) return;
  comparison.differencesCount += 1;
  if (comparison.differences.length < DIFFERENCES_TOLD) {
    comparison.differences.push({ callId, userId, wagerCents, paidCents, expectedCents });
  }
}
