import type { CallView } from "#src/play/calls/schemas.ts";
import { formatChange, formatMoney } from "../base/format/money.ts";

/** The amount of a call in lists: its wager, then what it has won or lost, or what is back of it. */
export function callAmount({ wagerCents, outcome, netCents }: CallView): string {
  if (netCents === null) return formatMoney(wagerCents);
  return outcome === "refunded" ? `${formatMoney(wagerCents)} back` : formatChange(netCents);
}
