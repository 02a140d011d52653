import { WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import type { MoneyProblem } from "../ui/money/typed-money.ts";
import * as texts from "./action-texts.ts";
import type { View } from "./view.ts";

/** What a wager can be now, in cents. */
export type WagerLimits = {
  minCents: number;
  availableCents: number;
  /** What the event still takes from this player. */
  leftCents: number;
};

/** @param availableCents what the player can wager at all. */
export function wagerLimits(
  { event, viewerCalls }: Pick<View, "event" | "viewerCalls">,
  availableCents: number,
): WagerLimits {
  const wagered = viewerCalls?.wageredCents;
  const maxCents = event?.maxWagerCents ?? null;
  const leftCents =
    maxCents === null ? WAGER_MAX_CENTS : maxCents - (wagered?.true ?? 0) - (wagered?.false ?? 0);
  return {
    minCents: event?.minWagerCents ?? 1,
    availableCents,
    leftCents: Math.min(WAGER_MAX_CENTS, Math.max(0, leftCents)),
  };
}

/** Why no amount at all can be wagered, in few words; null if one can. */
export function nothingToWager({ minCents, availableCents, leftCents }: WagerLimits): string | null {
  if (availableCents < minCents) return texts.nothingLeft;
  return leftCents < minCents ? texts.takesNoMore : null;
}

/** Why an amount cannot be wagered, and what can; null if it can. */
export function wagerFault(
  amount: number | MoneyProblem,
  { minCents, availableCents, leftCents }: WagerLimits,
): string | null {
  if (typeof amount !== "number") return unreadable[amount];
  if (amount < minCents) return texts.wagerTooSmall(minCents);
  if (amount > leftCents) return leftCents === 0 ? texts.wagerNoMore : texts.wagerTooLarge(leftCents);
  return amount > availableCents ? texts.wagerNotCovered(availableCents) : null;
}

/** The same without an event and a wallet: the server knows both when it places the call. */
export function typedWagerFault(amount: number | MoneyProblem): string | null {
  return wagerFault(amount, {
    minCents: 1,
    availableCents: WAGER_MAX_CENTS,
    leftCents: WAGER_MAX_CENTS,
  });
}

const unreadable: Record<MoneyProblem, string> = {
  blank: texts.wagerBlank,
  decimals: texts.wagerDecimals,
  unclear: texts.wagerUnclear,
};
