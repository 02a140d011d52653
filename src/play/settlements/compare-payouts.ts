import { sql } from "drizzle-orm";
import { type Database, inTransaction, type Transaction } from "#db/client.ts";
import {
  listSettledCalls,
  listStakes,
  type Settled,
  type SettledCall,
  type SettledStakes,
} from "#db/ledger/list-settled-calls.ts";
import { dividePool, stakeOf } from "#src/play/calls/compute-payouts.ts";

/** More calls take too long for one request. The check of the books covers those events. */
export const COMPARED_CALLS_MAX = 1_000_000;
const PAGE_SIZE = 5_000;
const DIFFERENCES_LISTED_MAX = 20;

type Difference = Pick<SettledCall, "callId" | "userId" | "wagerCents" | "paidCents"> & {
  expectedCents: number;
};
type PayoutsComparison = {
  callsCount: number;
  paidCents: number;
  differencesCount: number;
  /** The first ones. */
  differences: Difference[];
};

/**
 * Recomputes what calls should have been paid, and compares it with the ledger. The database paid by its own implementation of the
 * formula, in SQL; this one is in TypeScript (src/play/calls/compute-payouts.ts), so that a mistake in one cannot confirm itself.
 * @param refuse runs first, in the same snapshot, with the number of calls.
 */
export function recomputePayouts(
  db: Database,
  settled: Settled,
  refuse: (tx: Transaction, callsCount: number) => Promise<void> | void = () => undefined,
): Promise<PayoutsComparison> {
  // One snapshot: it contains a concurrent correction completely or not at all.
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    const stakes = await listStakes(tx, settled);
    await refuse(
      tx,
      stakes.reduce((sum, { callsCount }) => sum + callsCount, 0),
    );
    return comparePayouts(stakes, readCalls(tx, settled));
  });
}

async function* readCalls(tx: Transaction, settled: Settled): AsyncGenerator<SettledCall[]> {
  let afterId = 0;
  for (;;) {
    const page = await listSettledCalls(tx, settled, { afterId, limit: PAGE_SIZE });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = last.callId;
  }
}

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
