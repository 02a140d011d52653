import { CENTS_PER_DOLLAR, formatChange, formatMoney } from "#src/http/contract.ts";

export { formatChange, formatMoney } from "#src/http/contract.ts";

/** "$648" where there are no cents, "$1.84" where there are. */
export function formatShortMoney(amountCents: number): string {
  return formatMoney(amountCents).replace(/\.00$/, "");
}

/** A share as a person says it: 0.586 -> "58.6%". A dash where there is none yet. */
export function formatShare(share: number | null, { digits = 1 }: { digits?: number } = {}): string {
  return share === null ? "–" : `${(share * 100).toFixed(digits)}%`;
}

/** What each dollar has won or lost: 0.091 -> "+$0.09". A dash where none was wagered yet. */
export function formatPerDollar(share: number | null): string {
  return share === null ? "–" : formatChange(Math.round(share * CENTS_PER_DOLLAR));
}
