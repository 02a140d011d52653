import { invalid } from "#src/base/refusal.ts";
import { dollarsOf, wholeCentsOf } from "#src/http/money.ts";
import { haveSameText, SAME_LABEL } from "./contract.ts";
import { pictureAfter, type Pictures } from "./question-picture.ts";

/** The fields of an event, or of a blueprint's event, in a request body. The limits of a wager are in dollars. */
type EventTerms = {
  minWager?: number | undefined;
  maxWager?: number | null | undefined;
  picture?: string | null | undefined;
  pictureAlt?: string | undefined;
};

/**
 * The columns that a body changes, with the dollars converted to cents and the picture as it is stored.
 * @param before what the event has; left out for a new one.
 * @throws Refusal 422, as pictureAfter.
 */
export function readEventTerms<Terms extends EventTerms>(
  { minWager, maxWager, picture, pictureAlt, ...terms }: Terms,
  pictures: Pictures,
  before?: { picture: unknown },
) {
  return {
    ...terms,
    minWagerCents: centsIn(minWager),
    maxWagerCents: centsIn(maxWager),
    picture: pictureAfter({ picture, pictureAlt }, pictures, before?.picture),
  };
}

type CheckedTerms = {
  minWagerCents?: number | undefined;
  maxWagerCents?: number | null | undefined;
  trueLabel?: string | undefined;
  falseLabel?: string | undefined;
};

/**
 * Refuses limits that no wager can meet, and two labels that nobody could tell apart.
 * @param changed what is given.
 * @param before what the event has, of which nothing is refused that stays. Without it: a new one.
 * @throws Refusal 422.
 */
export function checkTerms(changed: CheckedTerms, before: CheckedTerms = {}): void {
  const minWagerCents = changed.minWagerCents ?? before.minWagerCents ?? 1;
  const maxWagerCents = changed.maxWagerCents === undefined ? before.maxWagerCents : changed.maxWagerCents;
  if (maxWagerCents != null && maxWagerCents < minWagerCents)
    throw invalid({ maxWager: [`must be greater than or equal to ${dollarsOf(minWagerCents)}`] });
  const { trueLabel = before.trueLabel, falseLabel = before.falseLabel } = changed;
  const isGiven = changed.trueLabel !== undefined || changed.falseLabel !== undefined;
  if (isGiven && haveSameText({ trueLabel, falseLabel })) throw invalid({ falseLabel: [SAME_LABEL] });
}

/** Null and undefined stay as they are. */
function centsIn<Nothing extends null | undefined>(amountDollars: number | Nothing): number | Nothing {
  return typeof amountDollars === "number" ? wholeCentsOf(amountDollars) : amountDollars;
}
