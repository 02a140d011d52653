const CENTS_PER_DOLLAR = 100;

/** Cents to dollars, as the API sends them: 1250 -> 12.5. Exact for every amount that the ledger can hold. */
export function dollarsOf(amountCents: number): number {
  return amountCents / CENTS_PER_DOLLAR;
}

/**
 * Dollars of a request to cents: 12.5 -> 1250.
 * @returns null if the amount has more than 2 decimals or is not finite.
 */
export function centsOf(amountDollars: number): number | null {
  const amountCents = Math.round(amountDollars * CENTS_PER_DOLLAR);
  if (!Number.isSafeInteger(amountCents)) return null;
  return amountCents / CENTS_PER_DOLLAR === amountDollars ? amountCents : null;
}

const currency = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats cents for people: 123450 -> "$1,234.50", -380 -> "-$3.80". */
export function currencyOf(amountCents: number): string {
  return currency.format(dollarsOf(amountCents));
}

/** Formats a change of a balance: 380 -> "+$3.80", -380 -> "-$3.80". */
export function changeOf(amountCents: number): string {
  return amountCents > 0 ? `+${currencyOf(amountCents)}` : currencyOf(amountCents);
}
