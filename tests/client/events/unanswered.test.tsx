import { beforeEach, expect, test } from "bun:test";
import { useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Api, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { afterPaint } from "#client/base/browser/after-paint.ts";
import { AppContext } from "#client/base/page/context.ts";
import { announceCall } from "#client/calls/own-calls.ts";
import { type Placing, usePlacing } from "#client/events/use-placing.ts";
import { useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { CallView } from "#src/play/calls/schemas.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildCall, buildEvent, buildPage, buildWallet, inSeconds } from "./action-states.ts";

type Server = {
  /** What POST /api/v1/calls leads to. */
  place: () => Response;
  /** What the look-up by the key leads to. */
  find: () => Response;
  cancel: () => Response;
};

let root: Root;
let api: Api;
let server: Server;
let keys: string[];
let sent: string[];
let placing: Placing;
let wallet: ReturnType<typeof useWallet>;
let applied: CallView[];
let isOpen = false;

const closeDom = openDom();
afterFile(() => closeDom());
// React renders when it does so in a browser.
Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: false, configurable: true });

const [yes] = buildEvent().spots;
const placed = () => Response.json({ call: buildCall(), wallet: buildWallet(500, 2) }, { status: 201 });
const lost = (): Response => {
  throw new TypeError("connection reset");
};
const found = () => Response.json({ calls: [buildCall()], meta: {} });
const missing = () => Response.json({ calls: [], meta: {} });
/** Refused before it was judged: it says nothing about an attempt before. */
const limited = () => Response.json({ error: "Too many requests", code: "rate_limited" }, { status: 429 });

beforeEach(() => {
  [keys, sent, applied] = [[], [], []];
  server = { place: lost, find: lost, cancel: lost };
  api = createApi({
    inProcess: false,
    carry: overHttp({ csrfToken: "token", send: async (path, init) => answer(path, init) }),
  });
  root = createRoot(document.createElement("div"));
});

afterTest(async () => {
  root.unmount();
  await waitFor("the end of the screen", () => !isOpen);
  // React's last tasks need the window.
  await Bun.sleep(0);
});

function answer(path: string, init: RequestInit): Response {
  sent.push(`${init.method} ${path}`);
  if (init.method === "DELETE") return server.cancel();
  if (init.method === "POST") {
    keys.push(new Headers(init.headers).get("idempotency-key") ?? "");
    return server.place();
  }
  return path.includes("/wallet") ? Response.json({ wallet: buildWallet(500, 2) }) : server.find();
}

type Read = [Placing, typeof wallet];
const applyCall = (call: CallView) => void applied.push(call);

function Player({ onRead }: { onRead: (read: Read) => void }) {
  const read: Read = [usePlacing(applyCall), useWallet()];
  useEffect(() => onRead(read));
  useEffect(
    () => () => {
      isOpen = false;
    },
    [],
  );
  return null;
}

/** Opens the screen; `screen` is another one each time. */
async function open(screen = "first"): Promise<void> {
  isOpen = false;
  root.render(
    <AppContext value={{ page: buildPage(), api }}>
      <WalletProvider loaded={buildWallet(1_000)}>
        <Player
          key={screen}
          onRead={(read) => {
            isOpen = true;
            [placing, wallet] = read;
          }}
        />
      </WalletProvider>
    </AppContext>,
  );
  await waitFor("the screen", () => isOpen);
}

/** Presses a side, and waits until that would have been sent. */
async function press(): Promise<void> {
  const before = sent.length;
  void placing.place(yes, 500);
  await waitFor("the paint", async () => {
    await afterPaint();
    return sent.length > before || placing.pending !== null || placing.resting;
  });
}

/** The first attempt is lost, and the second one says nothing about it. From then on the call is looked up. */
async function loseAnswer(): Promise<void> {
  const answers = [lost, limited];
  server.place = () => (answers.shift() ?? placed)();
  await press();
  await waitFor("the look-up", () => sent.some((line) => line.startsWith("GET")));
}

const shown = () => [placing.pending?.wagerCents, wallet.availableCents, wallet.pending, placing.refusal];
const waiting = [500, 500, true, null];
const settled = [undefined, 500, false, null];

test("a call without an answer stays held until it was looked up by its key, and is then shown as placed; until then no other one is sent and none is taken back", async () => {
  await open();
  await loseAnswer();
  expect(shown()).toEqual(waiting);
  expect(sent.at(-1)).toBe(`GET /api/v1/calls?idempotency_key=${keys[0]}`);
  // The connection is still away.
  const asked = sent.length;
  await waitFor("another look-up", () => sent.length > asked);
  expect(shown()).toEqual(waiting);
  await press();
  await placing.cancel(buildCall({ id: 9 }));
  server.find = found;
  await waitFor("the call", () => Bun.deepEquals(shown(), settled));
  expect(new Set(keys).size).toBe(1);
  expect(sent.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  expect(placing.news).toBe("You called Yes, $5.00.");
  expect(applied).toMatchObject([{ id: buildCall().id, state: "placed" }]);
});

test("no other one is sent after the screen was left and opened again, where the call is still shown", async () => {
  await open();
  await loseAnswer();
  await open("second");
  expect(placing.pending).toMatchObject({ key: keys[0], wagerCents: 500 });
  await press();
  expect(new Set(keys).size).toBe(1);
  applied = [];
  server.find = found;
  await waitFor("the call", () => Bun.deepEquals(shown(), settled));
  expect(applied.length).toBeGreaterThan(0);
});

test("a call that did not arrive is given up, and the next press is a new call", async () => {
  await open();
  await loseAnswer();
  server.find = missing;
  const refused = [undefined, 1_000, false, "Your call did not arrive. Nothing was placed."];
  await waitFor("the refusal", () => Bun.deepEquals(shown(), refused));
  expect(applied).toEqual([]);
  // The first look-up may have been answered while the server was still working on the call.
  expect(sent.filter((line) => line.startsWith("GET")).length).toBeGreaterThan(1);
  await press();
  await waitFor("the call", () => applied.length > 0);
  expect(new Set(keys).size).toBe(2);
});

test("the cable's word ends the waiting", async () => {
  await open();
  await loseAnswer();
  const detail = { call: buildCall(), serverTime: inSeconds(0), idempotencyKey: keys[0] ?? "" };
  announceCall("call:place", detail);
  await waitFor("the end of the waiting", () => placing.pending === null);
  expect(placing.news).toBe("You called Yes, $5.00.");
  await waitFor("the end of the look-ups", () => placing.resting);
  await waitFor("the end of the pause", () => !placing.resting);
  await press();
  expect(new Set(keys).size).toBe(2);
  expect(placing.refusal).toBeNull();
});

test("a cancellation is sent again until it is answered, and then the call can be placed again for a while", async () => {
  await open();
  const answers = [lost, () => new Response(null, { status: 204 })];
  server.cancel = () => (answers.shift() ?? lost)();
  const call = buildCall();
  await placing.cancel(call);
  expect(sent).toEqual([`DELETE /api/v1/calls/${call.id}`, `DELETE /api/v1/calls/${call.id}`]);
  expect(applied).toMatchObject([{ id: call.id, state: "soft_destroyed" }]);
  await waitFor("the offer", () => placing.takenBack?.id === call.id);
  expect(placing.refusal).toBeNull();
});

test("a cancellation that is never answered speaks of no placing, and offers nothing", async () => {
  await open();
  const answers = [lost, limited];
  server.cancel = () => (answers.shift() ?? lost)();
  await placing.cancel(buildCall());
  await waitFor("the refusal", () => placing.refusal !== null);
  expect(placing.refusal).toBe("No answer. Your call shows here as it is once you are back.");
  expect([applied, placing.takenBack]).toEqual([[], null]);
});
