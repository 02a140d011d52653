import { invalid } from "#src/base/refusal.ts";
import { centsOf, dollarsOf } from "#src/http/money.ts";

/** What a body says of an event or of a blueprint's event: the limits of a wager are in dollars. */
type EventTerms = { minWager?: number | undefined; maxWager?: number | null | undefined };

/** The columns that a body changes: the wire's dollars in cents. */
export function readEventTerms<Terms extends EventTerms>({ minWager, maxWager, ...terms }: Terms) {
  return { ...terms, minWagerCents: centsIn(minWager), maxWagerCents: centsIn(maxWager) };
}

/**
 * Refuses limits that no wager fits.
 * @param limits in cents; left out as the table's defaults say: a cent, and no upper limit.
 * @throws Refusal 422.
 */
export function checkWagers({ minWagerCents = 1, maxWagerCents = null }: WagerLimits): void {
  if (maxWagerCents === null || maxWagerCents >= minWagerCents) return;
  throw invalid({ maxWager: [`must be greater than or equal to ${dollarsOf(minWagerCents)}`] });
}
type WagerLimits = { minWagerCents?: number | undefined; maxWagerCents?: number | null | undefined };

/** Undefined stays: nothing is said about it. */
function centsIn<Nothing extends null | undefined>(amountDollars: number | Nothing): number | Nothing {
  if (typeof amountDollars !== "number") return amountDollars;
  const amountCents = centsOf(amountDollars);
  if (amountCents === null) throw new Error("the shape lets only whole cents through");
  return amountCents;
}
