import { expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createApi } from "#client/base/api/api.ts";
import { AppContext } from "#client/base/page/context.ts";
import { readPage } from "#client/base/page/page.ts";
import { type OwnCall, useOwnCalls } from "#client/calls/own-calls.ts";
import { LiveMessages } from "#client/results/live-messages.tsx";
import { useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { UserMessage } from "#src/live/relay/schemas.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { buildCall, buildWallet, inSeconds } from "#tests/client/events/action-states.ts";
import { endPlay, playSockets } from "#tests/client/played-socket.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";

const ADDRESS = "ws://cable.test/live/of/this/page";
const USER = { id: 7, gid: "gid://called-it/User/7" };
const identifier = JSON.stringify({ channel: "UserChannel", id: USER.gid });
const serverTime = inSeconds(1);
const closeDom = openDom();
const sockets = playSockets();
document.head.innerHTML = `<meta name="action-cable-url" content="${ADDRESS}">`;
const rendered = document.createElement("div");
Object.assign(rendered.dataset, {
  userGid: USER.gid,
  userId: USER.id,
  streamOffsets: '{"user":{"epoch":"e","offset":0},"session":null}',
});
const page = readPage(rendered, document);
let root: Root;
let offset = 0;
afterFile(async () => {
  // Other test files have this page's state too: its socket must not fall silent in theirs.
  sockets.at(-1)?.receive({ type: "disconnect", reason: "remote", reconnect: false });
  await Bun.sleep(0);
  endPlay();
  await closeDom();
});
afterTest(() => {
  act(() => root.unmount());
});

/** Only the cable changes the page. */
const api = createApi({ inProcess: false, carry: () => Promise.reject(new Error("Nothing is fetched.")) });

/** What a screen of the page has been told. */
type Heard = { calls: OwnCall[]; balanceCents: number | undefined };

function Screen({ heard }: { heard: Heard }) {
  const { wallet } = useWallet();
  useOwnCalls((own) => heard.calls.push(own));
  useEffect(() => void Object.assign(heard, { balanceCents: wallet?.balanceCents }));
  return null;
}

/** Shows the page with the wallet that it was loaded with. */
const show = (heard: Heard, loaded: WalletView) =>
  act(async () => {
    root.render(
      <AppContext value={{ page, api }}>
        <WalletProvider loaded={loaded}>
          <LiveMessages />
          <Screen heard={heard} />
        </WalletProvider>
      </AppContext>,
    );
  });

async function open(): Promise<Heard> {
  const heard: Heard = { calls: [], balanceCents: undefined };
  root = createRoot(document.createElement("div"));
  await show(heard, buildWallet(1_000, 1));
  for (const type of ["welcome", "confirm_subscription"]) sockets.at(-1)?.receive({ type, identifier });
  return heard;
}

function send(message: UserMessage): void {
  offset += 1;
  act(() => sockets.at(-1)?.receive({ type: "", identifier, message: { epoch: "e", offset, ...message } }));
}

/** Sends a call that was placed, closed or taken back. */
function sendCall(call: CallView): void {
  const detail = { call, version: 2, serverTime };
  const placed = { ...detail, idempotencyKey: "key" };
  if (call.state === "placed") send({ sourceType: "Call", eventType: "place_call", detail: placed });
  else if (call.state === "closed") send({ sourceType: "Call", eventType: "close_call", detail });
  else send({ sourceType: "Call", eventType: "cancel_call", detail });
}

test("the page connects to the address in its meta tag action-cable-url, and to no other", async () => {
  await open();
  expect(new Set(sockets.map(({ url }) => url))).toEqual(new Set([ADDRESS]));
});

test("a placed call, a result and a change of the balance update the wallet of the page, and nothing older does, wherever it comes from", async () => {
  const heard = await open();
  const resolved = buildCall({ state: "resolved", outcome: "won", payoutCents: 900 });
  const placed = { call: buildCall({ id: 20 }), wallet: buildWallet(900, 3), idempotencyKey: "key" };
  send({ sourceType: "Call", eventType: "place_call", detail: { ...placed, version: 1, serverTime } });
  expect(heard.balanceCents).toBe(900);
  const result = { eventId: 1, result: true, voided: false, reason: null, version: 3, serverTime };
  const detail = { call: resolved, wallet: buildWallet(1_400, 4), ...result };
  send({ sourceType: "Call", eventType: "resolve_call", detail });
  expect([heard.calls.at(-1)?.call, heard.balanceCents]).toEqual([resolved, 1_400]);
  const balance = { wallet: buildWallet(700, 5), version: 5, serverTime };
  send({ sourceType: "Wallet", eventType: "balance_change", detail: balance });
  expect(heard.balanceCents).toBe(700);
  send({
    sourceType: "Wallet",
    eventType: "balance_change",
    detail: { ...balance, wallet: buildWallet(1_400, 4) },
  });
  await show(heard, buildWallet(1_500, 3));
  expect(heard.balanceCents).toBe(700);
  await show(heard, buildWallet(400, 8));
  expect(heard.balanceCents).toBe(400);
});

test("a screen hears of its viewer's calls, and one that opens later of the newest state of each", async () => {
  await open();
  sendCall(buildCall({ id: 21 }));
  sendCall(buildCall({ id: 22, userId: 8 }));
  sendCall(buildCall({ id: 21, state: "closed" }));
  sendCall(buildCall({ id: 23, state: "soft_destroyed" }));
  act(() => root.unmount());
  const { calls } = await open();
  const heard = calls.filter(({ call }) => call.id > 20);
  expect(heard.map(({ call }) => [call.id, call.state])).toEqual([
    [21, "closed"],
    [23, "soft_destroyed"],
  ]);
});
