import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import { type PayDeps, paySettlement } from "./pay-settlement.ts";

/** It waits for no lock: who holds it probably pays. */
const LOCK_TIMEOUT: LockTimeout = { waitMs: 0, onTimeout: "proceed" };
const BUDGET_MS = 1_000;

/** The unpaid events that a pass has found, with the number of their paid calls; null: this process is paying it. */
type Pass = ReadonlyMap<number, number | null>;
type Options = {
  /** What the last pass returned: an event that is new since then, or was paid further, is left to its job. */
  lastPass?: Pass;
  /** Gets the error of a settlement that cannot be paid; the others are still paid. */
  logFailure?: (error: unknown) => void;
};

/**
 * Continues every unpaid settlement that nobody pays, for about a second each. So everybody is paid even without Redis, its
 * jobs or the workers.
 */
export async function sweepSettlements(deps: PayDeps, { lastPass, logFailure }: Options = {}): Promise<Pass> {
  const found = new Map<number, number | null>();
  for (const { eventId, paidCallsCount } of await listUnpaidSettlements(deps.pool.db)) {
    found.set(eventId, paidCallsCount);
    const before = lastPass?.get(eventId);
    if (lastPass !== undefined && before !== null && before !== paidCallsCount) continue;
    try {
      const progress = await paySettlement(deps, eventId, { budgetMs: BUDGET_MS, lockTimeout: LOCK_TIMEOUT });
      if (progress === "unfinished") found.set(eventId, null);
    } catch (error) {
      if (logFailure === undefined) throw error;
      logFailure(error);
    }
  }
  return found;
}
