import type { UnpaidSettlement } from "#db/ledger/list-unpaid-settlements.ts";
import { conflict, type Refusal } from "#src/base/refusal.ts";

/** 409 for a change that must wait until the settlement is paid; `nextStep` tells what to do then. */
export function stillPaying({ paidCallsCount, callsCount }: UnpaidSettlement, nextStep: string): Refusal {
  const [paid, all] = [paidCallsCount, callsCount].map((count) => count.toLocaleString("en-US"));
  return conflict(`It is still being paid, ${paid} of ${all} calls so far. ${nextStep}`);
}
