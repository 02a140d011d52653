import { invalid } from "#src/base/refusal.ts";
import { centsOf } from "#src/http/money.ts";

/**
 * Reads a body's amount of dollars as whole cents.
 * @throws Refusal 422 for fractions of a cent.
 */
export function readAmountCents(amount: number): number {
  const amountCents = centsOf(amount);
  if (amountCents === null) throw invalid({ amount: ["is invalid"] });
  return amountCents;
}
