import { CENTS_PER_DOLLAR } from "./contract.ts";

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

/** The same for an amount whose schema allows only whole cents. */
export function wholeCentsOf(amountDollars: number): number {
  const amountCents = centsOf(amountDollars);
  if (amountCents === null) throw new Error("the schema must allow only whole cents");
  return amountCents;
}
