import { formatMoney } from "#client/base/format/money.ts";
import { HOUSE_DOLLAR_CENTS, WAGER_MAX_CENTS } from "#db/lists/limits.ts";
import { isBroke } from "#src/money/wallet/contract.ts";
import type { MoneyProblem } from "../ui/money/typed-money.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
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
  if (availableCents < minCents) return "Nothing left";
  return leftCents < minCents ? "Limit reached" : null;
}

/** Why an amount cannot be wagered, and what can; null if it can. */
export function wagerFault(
  amount: number | MoneyProblem,
  { minCents, availableCents, leftCents }: WagerLimits,
): string | null {
  if (typeof amount !== "number") return unreadable[amount];
  if (amount < minCents) return `Wager ${formatMoney(minCents)} or more.`;
  if (amount > leftCents)
    return leftCents === 0
      ? "You've reached the limit for this question."
      : `Up to ${formatMoney(leftCents)} on this question.`;
  return amount > availableCents ? `You have ${formatMoney(availableCents)} to wager.` : null;
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
  blank: "Type an amount, like 5 or 12.50.",
  decimals: "At most 2 digits after the point.",
  unclear: "Not an amount. Write it like 12.50.",
};

type Played = Pick<View, "event" | "state">;

/** The house adds what this player lacks to a call of at most $1.00 on the event on the card (db/sql/functions/judge-calls.sql). */
export function useOnTheHouse({ event, state: { session } }: Played): boolean {
  const { wallet } = useWallet();
  if (wallet === null || event === null || !isBroke(wallet)) return false;
  return session.settings.houseDollar && event.minWagerCents <= HOUSE_DOLLAR_CENTS;
}

/** What the player can wager at all on the event on the card, and whether a call asks the house for what is missing. */
export type Purse = { availableCents: number; onTheHouse: boolean };

export function usePurse(view: Played): Purse {
  const { availableCents } = useWallet();
  const onTheHouse = useOnTheHouse(view);
  return { availableCents: onTheHouse ? HOUSE_DOLLAR_CENTS : availableCents, onTheHouse };
}
