import type { EventView } from "#src/events/schemas.ts";
import { formatCount } from "../ui/count.ts";

/** "Paying 35,000 of 100,000" while a large settlement is being paid, else null. */
export function payingText({ plan }: EventView): string | null {
  if (plan?.paying == null) return null;
  const { paidCallsCount, callsCount } = plan.paying;
  return `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)}`;
}
