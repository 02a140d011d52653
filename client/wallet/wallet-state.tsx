import { type ReactNode, useEffect, useMemo, useState } from "react";
import { requiredContext } from "#client/base/page/required-context.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { createSignal } from "../base/browser/store.ts";

/** A message has brought the viewer's wallet. */
export const balanceChanged = createSignal<WalletView>();

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
type Hold = { key: string; wagerCents: number; confirmed: boolean };

const [WalletContext, useWalletState] = requiredContext<WalletState>();
export const useWallet = useWalletState;

/** Holds the player's wallet for the whole page. Loaders, API answers and the cable update it; the newest version wins. */
export function WalletProvider({ loaded, children }: { loaded: WalletView | null; children: ReactNode }) {
  const [received, setReceived] = useState<WalletView | null>(null);
  const [holds, setHolds] = useState<readonly Hold[]>([]);
  useEffect(
    () =>
      balanceChanged.listen((next) => {
        setReceived((known) => newer(known, next));
        setHolds((known) => known.filter(({ confirmed }) => !confirmed));
      }),
    [],
  );
  const wallet = newer(loaded, received);
  const state = useMemo<WalletState>(() => {
    const settle = (settled: string) => setHolds((known) => known.filter(({ key }) => key !== settled));
    return {
      wallet,
      availableCents: Math.max(
        0,
        (wallet?.availableBalanceCents ?? 0) - holds.reduce((sum, { wagerCents }) => sum + wagerCents, 0),
      ),
      pending: holds.length > 0,
      receiveWallet: (next, settledKey = "") => {
        setReceived((known) => newer(known, next));
        settle(settledKey);
      },
      hold: (key, wagerCents) => setHolds((known) => [...known, { key, wagerCents, confirmed: false }]),
      settle,
      confirmHold: (key) =>
        setHolds((known) => known.map((held) => (held.key === key ? { ...held, confirmed: true } : held))),
    };
  }, [wallet, holds]);
  return <WalletContext value={state}>{children}</WalletContext>;
}

function newer(one: WalletView | null, other: WalletView | null): WalletView | null {
  if (one === null || other === null) return one ?? other;
  return other.version > one.version ? other : one;
}
