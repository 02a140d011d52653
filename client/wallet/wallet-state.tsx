import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { WalletView } from "#src/money/wallet/schemas.ts";

/** The window's event for a changed balance, with `detail: { wallet }`. */
export const BALANCE_UPDATE = "balance:update";

type WalletState = {
  /** The newest wallet known; null while signed out. */
  wallet: WalletView | null;
  /** The available balance minus wagers on their way to the server, in cents; at least 0, because the house may add to a wager. */
  availableCents: number;
  /** A wager is on its way, so the amount is not final. */
  pending: boolean;
  /** Takes a wallet that the server sent. A version older than the known one is dropped. It ends the hold of this key. */
  receiveWallet: (wallet: WalletView, settledKey?: string) => void;
  /** Shows a wager as spent before the server has answered. `settle` with the same key ends it. */
  hold: (key: string, wagerCents: number) => void;
  settle: (key: string) => void;
  /** The cable says that the call was placed: its next wallet contains the wager, which then must not count twice. */
  confirmHold: (key: string) => void;
};
/** By key: a wager on its way, in cents. */
type Holds = Readonly<Record<string, { wagerCents: number; confirmed: boolean }>>;

const WalletContext = createContext<WalletState | null>(null);

export function useWallet(): WalletState {
  const state = useContext(WalletContext);
  if (state === null) throw new Error("A screen was rendered outside the app.");
  return state;
}

/** Reports a changed balance to the whole page. */
export function announceBalance(wallet: WalletView): void {
  globalThis.dispatchEvent(new CustomEvent(BALANCE_UPDATE, { detail: { wallet } }));
}

/** Holds the player's wallet for the whole page. Loaders, API answers and the cable update it; the newest version wins. */
export function WalletProvider({ loaded, children }: { loaded: WalletView | null; children: ReactNode }) {
  const [received, setReceived] = useState<WalletView | null>(null);
  const [holds, setHolds] = useState<Holds>({});
  useEffect(() => {
    const onUpdate = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      setReceived((known) => newer(known, walletIn(event)));
      setHolds(withoutConfirmed);
    };
    globalThis.addEventListener(BALANCE_UPDATE, onUpdate);
    return () => globalThis.removeEventListener(BALANCE_UPDATE, onUpdate);
  }, []);
  const wallet = newer(loaded, received);
  const state = useMemo<WalletState>(() => {
    const held = Object.values(holds);
    return {
      wallet,
      availableCents: Math.max(
        0,
        (wallet?.availableBalanceCents ?? 0) - held.reduce((sum, { wagerCents }) => sum + wagerCents, 0),
      ),
      pending: held.length > 0,
      receiveWallet: (next, settledKey = "") => {
        setReceived((known) => newer(known, next));
        setHolds(without(settledKey));
      },
      hold: (key, wagerCents) => setHolds((known) => ({ ...known, [key]: { wagerCents, confirmed: false } })),
      settle: (key) => setHolds(without(key)),
      confirmHold: (key) => setHolds((known) => withConfirmed(known, key)),
    };
  }, [wallet, holds]);
  return <WalletContext value={state}>{children}</WalletContext>;
}

function without(key: string): (holds: Holds) => Holds {
  return (holds) => {
    if (!(key in holds)) return holds;
    const { [key]: _gone, ...rest } = holds;
    return rest;
  };
}

function withConfirmed(holds: Holds, key: string): Holds {
  const hold = holds[key];
  return hold === undefined ? holds : { ...holds, [key]: { ...hold, confirmed: true } };
}

function withoutConfirmed(holds: Holds): Holds {
  const entries = Object.entries(holds);
  const open = entries.filter(([, { confirmed }]) => !confirmed);
  return open.length === entries.length ? holds : Object.fromEntries(open);
}

function walletIn(event: CustomEvent<{ wallet: WalletView }>): WalletView {
  return event.detail.wallet;
}

function newer(one: WalletView | null, other: WalletView | null): WalletView | null {
  if (one === null || other === null) return one ?? other;
  return other.version > one.version ? other : one;
}
