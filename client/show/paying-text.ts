import type { EventView } from "#src/events/schemas.ts";
import { formatCount } from "../ui/count.ts";

/** "Paying 35,000 of 100,000" while a crowd is being paid; null before, afterwards, and where there is no crowd. */
export function payingText({ plan }: EventView): string | null {
  if (plan?.paying == null) return null;
  const { paidCallsCount, callsCount } = plan.paying;
  return `Paying ${formatCount(paidCallsCount)} of ${formatCount(callsCount)}`;
}
