import { expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { balanceChanged, useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { buildWallet } from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
let root: Root;
let wallet: ReturnType<typeof useWallet>;

afterFile(openDom());

afterTest(() => {
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

test("the newer of two wallets counts, in any order and from any source", () => {
  open(buildWallet(100, 5));
  act(() => balanceChanged.tell(buildWallet(300, 7)));
  act(() => wallet.receiveWallet(buildWallet(200, 6)));
  expect(wallet.wallet?.balanceCents).toBe(300);
  show(buildWallet(150, 5));
  expect(wallet.wallet?.balanceCents).toBe(300);
  show(buildWallet(400, 8));
  expect(wallet.wallet?.balanceCents).toBe(400);
});
