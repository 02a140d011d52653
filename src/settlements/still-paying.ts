import type { UnpaidSettlement } from "#db/ledger/list-unpaid-settlements.ts";
import { conflict, type Refusal } from "#src/base/refusal.ts";

/** 409 for what has to wait until everybody is paid; `cure` says what to do then. */
export function stillPaying({ paidCallsCount, callsCount }: UnpaidSettlement, cure: string): Refusal {
  const [paid, all] = [paidCallsCount, callsCount].map((count) => count.toLocaleString("en-US"));
  return conflict(`It is still being paid, ${paid} of ${all} calls so far. ${cure}`);
}
