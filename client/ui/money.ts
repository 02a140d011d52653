const CENTS_PER_DOLLAR = 100;

/** "$1,234.50", "-$1,234.50" */
export function formatMoney(amountCents: number): string {
  const whole = Math.abs(Math.trunc(amountCents));
  const dollars = String(Math.trunc(whole / CENTS_PER_DOLLAR)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  const cents = String(whole % CENTS_PER_DOLLAR).padStart(2, "0");
  return `${amountCents < 0 ? "-" : ""}$${dollars}.${cents}`;
}

/** What was gained or lost: "+$7.12", "-$5.00", "$0.00". */
export function formatChange(amountCents: number): string {
  return amountCents > 0 ? `+${formatMoney(amountCents)}` : formatMoney(amountCents);
}

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
