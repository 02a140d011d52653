import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { announceBalance, useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { WalletView } from "#src/wallet/contract.ts";
import { openDom } from "#tests/support/dom.ts";

let closeDom: () => Promise<void>;
let root: Root;
let wallet: ReturnType<typeof useWallet>;

beforeAll(() => {
  closeDom = openDom();
});
afterAll(() => closeDom());
afterEach(() => {
  act(() => root.unmount());
});

function Reader({ onRead }: { onRead: (state: typeof wallet) => void }) {
  const state = useWallet();
  useEffect(() => onRead(state));
  return null;
}

function open(loaded: WalletView | null): void {
  root = createRoot(document.createElement("div"));
  show(loaded);
}

function show(loaded: WalletView | null): void {
  act(() => {
    root.render(
      <WalletProvider loaded={loaded}>
        <Reader
          onRead={(state) => {
            wallet = state;
          }}
        />
      </WalletProvider>,
    );
  });
}

test("of two wallets the newer counts, whichever way it came and in whichever order", () => {
  open(walletWith(100, 5));
  act(() => announceBalance(walletWith(300, 7)));
  act(() => wallet.takeWallet(walletWith(200, 6)));
  expect(wallet.wallet?.balanceCents).toBe(300);
  show(walletWith(150, 5));
  expect(wallet.wallet?.balanceCents).toBe(300);
  show(walletWith(400, 8));
  expect(wallet.wallet?.balanceCents).toBe(400);
});

test("wagers on their way lower what is available until they are settled", () => {
  open(walletWith(1_000, 1));
  act(() => wallet.hold("one", 300));
  act(() => wallet.hold("two", 200));
  expect([wallet.availableCents, wallet.pending]).toEqual([500, true]);
  act(() => wallet.settle("one"));
  expect([wallet.availableCents, wallet.pending]).toEqual([800, true]);
  act(() => wallet.settle("two"));
  expect([wallet.availableCents, wallet.pending]).toEqual([1_000, false]);
});

test("without a wallet nothing is available", () => {
  open(null);
  expect([wallet.wallet, wallet.availableCents]).toEqual([null, 0]);
});

function walletWith(balanceCents: number, version: number): WalletView {
  const dollars = balanceCents / 100;
  return {
    id: 1,
    balance: dollars,
    balanceCents,
    availableBalance: dollars,
    availableBalanceCents: balanceCents,
    held: 0,
    heldCents: 0,
    owed: 0,
    owedCents: 0,
    version,
    metrics: {
      wagered: 0,
      returned: 0,
      net: 0,
      roi: null,
      pending: 0,
      callsPlaced: 0,
      won: 0,
      lost: 0,
      refunded: 0,
      winRate: null,
      currentStreak: 0,
      bestStreak: 0,
    },
  };
}
