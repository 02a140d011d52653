import { sql } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
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
  onFailure?: (error: unknown) => void;
};

/**
 * Continues every unpaid settlement that nobody pays, for about a second each. So everybody is paid even without Redis, its
 * jobs or the workers.
 */
export async function sweepSettlements(deps: PayDeps, { lastPass, onFailure }: Options = {}): Promise<Pass> {
  const found = new Map<number, number | null>();
  const due = await listUnpaidSettlements(deps.pool.db, undefined, notPaused("settlement", sql`event_id`));
  for (const { eventId, paidCallsCount } of due) found.set(eventId, paidCallsCount);
  const left = due.filter(({ eventId, paidCallsCount }) => {
    const before = lastPass?.get(eventId);
    return lastPass === undefined || before === null || before === paidCallsCount;
  });
  const pay = async ({ eventId }: (typeof due)[number]) => {
    const progress = await paySettlement(deps, eventId, { budgetMs: BUDGET_MS, lockTimeout: LOCK_TIMEOUT });
    if (progress === "unfinished") found.set(eventId, null);
  };
  await tryRows(deps, left, pay, { kind: "settlement", idOf: ({ eventId }) => eventId, onFailure });
  return found;
}
