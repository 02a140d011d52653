import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { WalletView } from "#src/wallet/schemas.ts";

/** Sent to the window with `detail: { wallet }` when the player's balance moved. */
export const BALANCE_UPDATE = "balance:update";

type WalletState = {
  /** The newest wallet known; null while signed out. */
  wallet: WalletView | null;
  /** Available, less what is on its way to the server. */
  availableCents: number;
  /** Some wager is on its way, so the amount is not yet certain. */
  pending: boolean;
  /** Takes a wallet that the server sent; one older than what is known is dropped. */
  receiveWallet: (wallet: WalletView) => void;
  /** Shows a wager as spent before the server has answered. Undo it with `settle` under the same key. */
  hold: (key: string, wagerCents: number) => void;
  settle: (key: string) => void;
};

const WalletContext = createContext<WalletState | null>(null);

export function useWallet(): WalletState {
  const state = useContext(WalletContext);
  if (state === null) throw new Error("The wallet was read outside the frame.");
  return state;
}

/** Tells every part of this page that the balance moved. */
export function announceBalance(wallet: WalletView): void {
  globalThis.dispatchEvent(new CustomEvent(BALANCE_UPDATE, { detail: { wallet } }));
}

/** Keeps the player's wallet for the whole page: loaders, answers and the cable feed it, the newest version wins. */
export function WalletProvider({ loaded, children }: { loaded: WalletView | null; children: ReactNode }) {
  const [heard, setHeard] = useState<WalletView | null>(null);
  const [holds, setHolds] = useState<Record<string, number>>({});
  useEffect(() => {
    const hear = (event: Event) => {
      if (event instanceof CustomEvent) setHeard((known) => newer(known, walletIn(event)));
    };
    globalThis.addEventListener(BALANCE_UPDATE, hear);
    return () => globalThis.removeEventListener(BALANCE_UPDATE, hear);
  }, []);
  const wallet = newer(loaded, heard);
  const state = useMemo<WalletState>(() => {
    const held = Object.values(holds);
    return {
      wallet,
      availableCents: (wallet?.availableBalanceCents ?? 0) - held.reduce((sum, cents) => sum + cents, 0),
      pending: held.length > 0,
      receiveWallet: (next) => setHeard((known) => newer(known, next)),
      hold: (key, wagerCents) => setHolds((known) => ({ ...known, [key]: wagerCents })),
      settle: (key) => setHolds(({ [key]: _gone, ...rest }) => rest),
    };
  }, [wallet, holds]);
  return <WalletContext value={state}>{children}</WalletContext>;
}

function walletIn(event: CustomEvent<{ wallet: WalletView }>): WalletView {
  return event.detail.wallet;
}

function newer(one: WalletView | null, other: WalletView | null): WalletView | null {
  if (one === null || other === null) return one ?? other;
  return other.version > one.version ? other : one;
}
