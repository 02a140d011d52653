import { formatMoney } from "#src/http/contract.ts";

export { formatChange, formatMoney } from "#src/http/contract.ts";

/** "$648" where there are no cents, "$1.84" where there are. */
export function formatShortMoney(amountCents: number): string {
  return formatMoney(amountCents).replace(/\.00$/, "");
}

/** A share as a person says it: 0.586 -> "58.6%". A dash where there is none yet. */
export function formatShare(share: number | null, { digits = 1 }: { digits?: number } = {}): string {
  return share === null ? "–" : `${(share * 100).toFixed(digits)}%`;
}

/** A share that was gained or lost: 0.091 -> "+9.1%". */
export function formatShareChange(share: number | null): string {
  return share !== null && share > 0 ? `+${formatShare(share)}` : formatShare(share);
}
