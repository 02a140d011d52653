import { HOUSE_DOLLAR_CENTS } from "#db/lists/limits.ts";
import { isBroke } from "#src/money/wallet/contract.ts";
import { useWallet } from "../wallet/wallet-state.tsx";
import type { View } from "./view.ts";

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
