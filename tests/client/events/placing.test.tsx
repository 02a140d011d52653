import { beforeEach, describe, expect, test } from "bun:test";
import { useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { type Api, ApiError, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { afterPaint } from "#client/base/browser/after-paint.ts";
import { AppContext } from "#client/base/page/context.ts";
import { announceCall } from "#client/calls/own-calls.ts";
import { usePressedSpot } from "#client/events/pressed-spot.ts";
import { type Placing, usePlacing } from "#client/events/use-placing.ts";
import { placeWithKey } from "#client/events/use-requests.ts";
import { balanceChanged, useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { buildCall, buildEvent, buildPage, buildWallet, inSeconds } from "./action-states.ts";

type Answer = () => Response | Promise<Response>;

let root: Root;
let api: Api;
/** What placing a call, looking one up by its key, and taking one back lead to. */
let server: Record<"place" | "find" | "cancel", Answer>;
let keys: string[];
let bodies: unknown[];
let sent: string[];
let placing: Placing;
let wallet: ReturnType<typeof useWallet>;
let pressed: SpotView | null;
/** What the first render with a pressed side has shown, and how much was sent before it. */
let atPress: unknown[] | null;
let applied: CallView[];
let isOpen = false;

afterFile(openDom());
// React renders when it does so in a browser.
Object.defineProperty(globalThis, "IS_REACT_ACT_ENVIRONMENT", { value: false, configurable: true });

const [yes] = buildEvent().spots;
const placed = () => Response.json({ call: buildCall(), wallet: buildWallet(500, 2) }, { status: 201 });
const lost = (): Response => {
  throw new TypeError("connection reset");
};
const found = () => Response.json({ calls: [buildCall()], meta: {} });
const missing = () => Response.json({ calls: [], meta: {} });
const refused = (status: number, body: object = {}) =>
  Response.json({ error: "Refused", ...body }, { status });
const late = () => refused(422, { code: "late", detail: "Call was 0.14 s late." });
/** Refused before it was judged: it says nothing about an attempt before. */
const limited = () => refused(429, { code: "rate_limited" });
/** These answers, one after the other. */
const each = (...answers: Answer[]) => {
  return () => (answers.shift() ?? lost)();
};

/** An answer that comes when the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  return { answer: () => promise, give: resolve };
}

beforeEach(() => {
  [keys, bodies, sent, applied, atPress] = [[], [], [], [], null];
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

function answer(path: string, init: RequestInit): Response | Promise<Response> {
  sent.push(`${init.method} ${path}`);
  if (init.method === "DELETE") return server.cancel();
  if (init.method === "POST") {
    keys.push(new Headers(init.headers).get("idempotency-key") ?? "");
    bodies.push(init.body);
    return server.place();
  }
  return path.includes("/wallet") ? Response.json({ wallet: buildWallet(500, 2) }) : server.find();
}

type Read = [Placing, typeof wallet, typeof pressed];
const applyCall = (call: CallView) => void applied.push(call);

function Player({ onRead }: { onRead: (read: Read) => void }) {
  const read: Read = [usePlacing(applyCall), useWallet(), usePressedSpot()];
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
            [placing, wallet, pressed] = read;
            if (pressed !== null) atPress ??= [placing.pending, wallet.availableCents, sent.length];
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

test("the pressed side is shown at once, and the request and the rest of the page follow when it is painted", async () => {
  await open();
  const { answer: later, give } = held();
  server.place = later;
  void placing.place(yes, 500);
  await waitFor("the side", () => atPress);
  expect(atPress).toEqual([null, 1_000, 0]);
  await untilPasses(() => expect([pressed, ...shown()]).toEqual([yes, ...waiting]));
  give(placed());
  await untilPasses(() => expect([pressed, ...shown()]).toEqual([null, ...settled]));
});

test("the cable's message may come before the answer: the wager counts once, and the waiting ends", async () => {
  await open();
  const { answer: later, give } = held();
  server.place = later;
  await press();
  const other = { call: buildCall({ id: 9 }), serverTime: inSeconds(0), idempotencyKey: "another device's" };
  announceCall(other);
  await untilPasses(() => expect(shown()).toEqual(waiting));
  announceCall({ call: buildCall(), serverTime: inSeconds(0), idempotencyKey: keys[0] ?? "" });
  await waitFor("the end of the waiting", () => placing.pending === null);
  expect([placing.news, wallet.availableCents]).toEqual(["You called Yes, $5.00.", 500]);
  balanceChanged.tell(buildWallet(500, 2));
  await untilPasses(() => expect(shown()).toEqual(settled));
  give(placed());
  await waitFor("the answer", () => pressed === null);
  expect(shown()).toEqual(settled);
});

test("a refusal reverts all of it and shows the reason", async () => {
  await open();
  server.place = late;
  await press();
  await untilPasses(() => expect(shown()).toEqual([undefined, 1_000, false, "Call was 0.14 s late."]));
  expect(applied).toEqual([]);
});

test("a call without an answer stays held until it was looked up by its key, and is then shown as placed; until then no other one is sent and none is taken back, also after the screen was opened again", async () => {
  await open();
  await loseAnswer();
  expect(shown()).toEqual(waiting);
  expect(sent.at(-1)).toBe(`GET /api/v1/calls?idempotency_key=${keys[0]}`);
  await press();
  await placing.cancel(buildCall({ id: 9 }));
  await open("second");
  expect(placing.pending).toMatchObject({ key: keys[0], wagerCents: 500 });
  await press();
  server.find = found;
  await waitFor("the call", () => Bun.deepEquals(shown(), settled));
  expect(new Set(keys).size).toBe(1);
  expect(sent.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  expect(applied.at(-1)).toEqual(buildCall());
});

test("a call that did not arrive is given up, and the next press is a new call", async () => {
  await open();
  await loseAnswer();
  server.find = missing;
  const gone = [undefined, 1_000, false, "Your call did not arrive. Nothing was placed."];
  await waitFor("the refusal", () => Bun.deepEquals(shown(), gone));
  expect(applied).toEqual([]);
  // The first look-up may have been answered while the server was still working on the call.
  expect(sent.filter((line) => line.startsWith("GET")).length).toBeGreaterThan(1);
  await press();
  await waitFor("the call", () => applied.length > 0);
  expect(new Set(keys).size).toBe(2);
});

const call = buildCall();
const taken = { id: call.id, state: "soft_destroyed", active: false };

test("a cancellation that is refused changes nothing", async () => {
  await open();
  server.cancel = late;
  await placing.cancel(call);
  expect(applied).toEqual([]);
});

test("a cancellation is sent again until it is answered, and then the call can be placed again for a while", async () => {
  await open();
  server.cancel = each(lost, () => new Response(null, { status: 204 }));
  await placing.cancel(call);
  expect(sent).toEqual([`DELETE /api/v1/calls/${call.id}`, `DELETE /api/v1/calls/${call.id}`]);
  expect(applied).toMatchObject([taken]);
  await waitFor("the offer", () => placing.takenBack?.id === call.id);
  expect(placing.refusal).toBeNull();
});

test("a cancellation whose answer is lost is known from its message, and the player can go on", async () => {
  await open();
  server.cancel = held().answer;
  const work = placing.cancel(call);
  await waitFor("the request", () => sent.length === 1);
  announceCall({ call: { ...call, state: "soft_destroyed", active: false }, serverTime: inSeconds(0) });
  await work;
  expect(applied).toMatchObject([taken]);
  await waitFor("the offer", () => placing.takenBack?.id === call.id);
});

test("a cancellation that is never answered speaks of no placing, and offers nothing", async () => {
  await open();
  server.cancel = each(lost, limited);
  await placing.cancel(call);
  await waitFor("the refusal", () => placing.refusal !== null);
  expect(placing.refusal).toBe("No answer. Your call shows here as it is once you are back.");
  expect([applied, placing.takenBack]).toEqual([[], null]);
});

describe("a call that is sent", () => {
  const busy = () =>
    Response.json(
      { error: "Try again in a moment.", code: "too_many_calls" },
      { status: 503, headers: { "retry-after": "0" } },
    );

  /** Sends it to a server with these answers, in order. @returns what came of it. */
  function send(...answers: Answer[]): Promise<unknown> {
    server.place = each(...answers);
    const placement = { key: "its key", spotId: 11, wagerCents: 250, onTheHouse: false };
    return placeWithKey(api, placement).catch((error: unknown) => error);
  }

  // The screen of each test of this file is closed after it.
  beforeEach(() => open());

  test("is sent again without an answer, and to an overloaded server, always under the same key", async () => {
    expect(await send(lost, () => refused(503), placed)).toMatchObject({ call: buildCall() });
    expect(await send(busy, placed)).toMatchObject({ call: buildCall() });
    expect(keys).toEqual(Array(5).fill("its key"));
    expect(new Set(bodies)).toEqual(new Set(['{"call":{"spot_id":11,"wager":2.5}}']));
  });

  test("is not sent again once it is refused, also by a server that stays overloaded", async () => {
    expect(await send(late, placed)).toBeInstanceOf(ApiError);
    expect(keys).toHaveLength(1);
    expect(String(await send(busy, busy, busy, busy, placed))).toContain("Try again in a moment.");
    expect(keys).toHaveLength(5);
  });

  test.each([401, 403, 404, 429])(
    "after an attempt without an answer a refusal with %i says nothing about it: the outcome is unknown",
    async (status) => {
      expect(await send(lost, () => refused(status), placed)).toBeInstanceOf(Unreachable);
      // The first attempt may be refused like that: nothing was tried before.
      expect(await send(() => refused(status), placed)).toBeInstanceOf(ApiError);
    },
  );
});
