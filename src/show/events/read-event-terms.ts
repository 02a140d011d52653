import { invalid } from "#src/base/refusal.ts";
import { dollarsOf, wholeCentsOf } from "#src/http/money.ts";

/** The fields of an event, or of a blueprint's event, in a request body. The limits of a wager are in dollars. */
type EventTerms = { minWager?: number | undefined; maxWager?: number | null | undefined };

/** The columns that a body changes, with the dollars converted to cents. */
export function readEventTerms<Terms extends EventTerms>({ minWager, maxWager, ...terms }: Terms) {
  return { ...terms, minWagerCents: centsIn(minWager), maxWagerCents: centsIn(maxWager) };
}

/**
 * Refuses limits that no wager can meet.
 * @param limits in cents. The defaults are those of the table: a minimum of one cent, no maximum.
 * @throws Refusal 422.
 */
export function checkWagers({ minWagerCents = 1, maxWagerCents = null }: WagerLimits): void {
  if (maxWagerCents === null || maxWagerCents >= minWagerCents) return;
  throw invalid({ maxWager: [`must be greater than or equal to ${dollarsOf(minWagerCents)}`] });
}
type WagerLimits = { minWagerCents?: number | undefined; maxWagerCents?: number | null | undefined };

/** Null and undefined stay as they are. */
function centsIn<Nothing extends null | undefined>(amountDollars: number | Nothing): number | Nothing {
  return typeof amountDollars === "number" ? wholeCentsOf(amountDollars) : amountDollars;
}
