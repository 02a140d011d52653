import { formatCount } from "#client/base/format/count.ts";
import { SMALL_SETTLEMENT_MAX } from "#src/play/settlements/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** "Paying 35,000 of 100,000" while a result with many calls is being paid, else null: a small one is paid at once. */
export function payingText({ plan }: EventView): string | null {
  if (plan?.paying == null) return null;
  const { paidCallsCount, callsCount } = plan.paying;
  if (callsCount <= SMALL_SETTLEMENT_MAX) return null;
  return `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)}`;
}
