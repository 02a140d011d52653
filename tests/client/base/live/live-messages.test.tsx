import { expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { updateConnection } from "#client/base/live/connection.ts";
import { AppContext } from "#client/base/page/context.ts";
import { type Page, readPage } from "#client/base/page/page.ts";
import { type OwnCall, useOwnCalls } from "#client/calls/own-calls.ts";
import { LiveMessages } from "#client/results/live-messages.tsx";
import { useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { UserMessage } from "#src/live/relay/schemas.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { buildCall, buildWallet, inSeconds } from "#tests/client/events/action-states.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { PlayedCable } from "./played-cable.ts";

// The local events of the page are part of the contract, so their names are written out here.

const USER = { id: 7, gid: "gid://called-it/User/7" };
const channel = { channel: "UserChannel", id: USER.gid };
const serverTime = inSeconds(1);
const closeDom = openDom();
const cable = new PlayedCable();
const page = pageWith(`${cable.origin}/live/of/this/page`);
let root: Root;
afterFile(async () => {
  await cable.stop();
  await closeDom();
  // Other test files have this page's state too.
  updateConnection({ connected: true, dismissed: null });
});

afterTest(() => {
  act(() => root.unmount());
});

/** The page that the server has rendered for the user, with this address of its websocket. */
function pageWith(cableUrl: string): Page {
  document.head.innerHTML = `<meta name="action-cable-url" content="${cableUrl}">`;
  document.body.innerHTML = `<div id="root" data-user-gid="${USER.gid}" data-user-id="${USER.id}"
    data-stream-offsets='{"user":{"epoch":"e","offset":0},"session":null}'></div>`;
  const element = document.querySelector<HTMLElement>("#root");
  if (element === null) throw new Error("no #root");
  return readPage(element, document);
}

/** Whatever the page fetches is refused, so that only the cable changes it. */
const api = createApi({
  inProcess: false,
  carry: overHttp({
    csrfToken: "token",
    send: () => Promise.resolve(Response.json({ error: "forbidden", code: "forbidden" }, { status: 403 })),
  }),
});

/** What a screen of the page has been told. */
type Heard = { calls: OwnCall[]; balanceCents: number | undefined };

type ScreenProps = { onCall: (own: OwnCall) => void; onBalance: (cents: number | undefined) => void };

function Screen({ onCall, onBalance }: ScreenProps) {
  const { wallet } = useWallet();
  useOwnCalls(onCall);
  useEffect(() => onBalance(wallet?.balanceCents));
  return null;
}

async function open(): Promise<Heard> {
  const heard: Heard = { calls: [], balanceCents: undefined };
  root = createRoot(document.createElement("div"));
  act(() => {
    root.render(
      <AppContext value={{ page, api }}>
        <WalletProvider loaded={buildWallet(1_000, 1)}>
          <LiveMessages />
          <Screen
            onCall={(own) => heard.calls.push(own)}
            onBalance={(cents) => {
              heard.balanceCents = cents;
            }}
          />
        </WalletProvider>
      </AppContext>,
    );
  });
  await waitFor("the subscription", () => cable.identifiers.includes(JSON.stringify(channel)));
  return heard;
}

/** Broadcasts a message, and waits for the local event with this name. @returns its detail. */
async function eventFor(name: string, message: UserMessage): Promise<unknown> {
  const details: unknown[] = [];
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent) details.push(event.detail);
  };
  globalThis.addEventListener(name, onEvent);
  try {
    await act(async () => {
      cable.broadcast(channel, message);
      await waitFor(name, () => details.length > 0);
    });
  } finally {
    globalThis.removeEventListener(name, onEvent);
  }
  expect(details).toHaveLength(1);
  return details[0];
}

const closed = buildCall({ state: "closed" });
const resolved = buildCall({ state: "resolved", outcome: "won", payoutCents: 900 });
const resolveMessage: UserMessage = {
  sourceType: "Call",
  eventType: "resolve_call",
  detail: {
    call: resolved,
    eventId: 1,
    result: true,
    voided: false,
    reason: null,
    wallet: buildWallet(1_400, 4),
    version: 3,
    serverTime,
  },
};

test("the page connects to the address in its meta tag action-cable-url, and to no other", async () => {
  await open();
  expect(new Set(cable.paths)).toEqual(new Set(["/live/of/this/page"]));
});

test("a close_call is the local event call:close with the call", async () => {
  await open();
  const detail = await eventFor("call:close", {
    sourceType: "Call",
    eventType: "close_call",
    detail: { call: closed, version: 2, serverTime },
  });
  expect(detail).toMatchObject({ call: closed });
});

test("a resolve_call is the local event call:resolve with the call, and updates the wallet", async () => {
  const heard = await open();
  expect(await eventFor("call:resolve", resolveMessage)).toMatchObject({ call: resolved });
  expect(heard.balanceCents).toBe(1_400);
});

test("a balance_change is the local event balance:update with the wallet, and updates it", async () => {
  const heard = await open();
  const wallet = buildWallet(700, 5);
  const detail = { wallet, version: 5, serverTime };
  const message = { sourceType: "Wallet", eventType: "balance_change", detail } as const;
  expect(await eventFor("balance:update", message)).toEqual({ wallet });
  expect(heard.balanceCents).toBe(700);
});

test("a place_call and a cancel_call are the local events call:place and call:cancel with the call", async () => {
  await open();
  const placed = buildCall({ id: 2 });
  const cancelled = buildCall({ id: 2, state: "soft_destroyed" });
  const place = { call: placed, idempotencyKey: "key", version: 2, serverTime };
  const cancel = { call: cancelled, version: 2, serverTime };
  expect(
    await eventFor("call:place", { sourceType: "Call", eventType: "place_call", detail: place }),
  ).toMatchObject(place);
  expect(
    await eventFor("call:cancel", { sourceType: "Call", eventType: "cancel_call", detail: cancel }),
  ).toMatchObject(cancel);
});

test("a screen that opens later hears of the latest calls of its viewer, the newest state of each", async () => {
  await open();
  const message = (call: CallView) =>
    ({ sourceType: "Call", eventType: "close_call", detail: { call, version: 2, serverTime } }) as const;
  await eventFor("call:close", message(buildCall({ id: 21 })));
  await eventFor("call:close", message(buildCall({ id: 22, userId: 8 })));
  await eventFor("call:close", message(buildCall({ id: 21, state: "closed" })));
  act(() => root.unmount());
  const { calls } = await open();
  const heard = calls.filter(({ call }) => call.id > 20);
  expect(heard.map(({ call }) => [call.id, call.state])).toEqual([[21, "closed"]]);
});
