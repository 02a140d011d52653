import { expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createApi, ApiError } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { AppContext } from "#client/base/page/context.ts";
import { announceCall, CALL_CANCEL } from "#client/calls/own-calls.ts";
import { placeWithKey } from "#client/events/placing/use-requests.ts";
import { usePressedSpot } from "#client/events/pressed-spot.ts";
import { type Placing, usePlacing } from "#client/events/use-placing.ts";
import { announceBalance, useWallet, WalletProvider } from "#client/wallet/wallet-state.tsx";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { SpotView } from "#src/play/spots/schemas.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildCall, buildEvent, buildPage, buildWallet, inSeconds } from "./action-states.ts";

let root: Root;
let placing: Placing;
let wallet: ReturnType<typeof useWallet>;
let pressed: SpotView | null;
let applied: CallView[];
let answer: (response: Response) => void;
let sent: string[];

const closeDom = openDom();
afterFile(() => closeDom());

afterTest(() => {
  act(() => root.unmount());
});

const [yes] = buildEvent().spots;
const applyCall = (call: CallView) => void applied.push(call);

type Read = [Placing, typeof wallet, typeof pressed];

function Player({ onRead }: { onRead: (read: Read) => void }) {
  const read: Read = [usePlacing(applyCall), useWallet(), usePressedSpot()];
  useEffect(() => onRead(read));
  return null;
}

function open(): void {
  applied = [];
  sent = [];
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "token",
      send: (path, { method }) => {
        sent.push(`${method} ${path}`);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    }),
  });
  root = createRoot(document.createElement("div"));
  act(() => {
    root.render(
      <AppContext value={{ page: buildPage(), api }}>
        <WalletProvider loaded={buildWallet(1_000)}>
          <Player
            onRead={(read) => {
              [placing, wallet, pressed] = read;
            }}
          />
        </WalletProvider>
      </AppContext>,
    );
  });
}

async function answered(response: Response, work: Promise<void>): Promise<void> {
  await act(async () => {
    answer(response);
    await work;
  });
}

/** Presses a side, and waits until that is painted and the request is sent. */
async function press(wagerCents: number): Promise<{ work: Promise<void> }> {
  let work = Promise.resolve();
  await act(async () => {
    work = placing.place(yes, wagerCents);
    await waitFor("the request", () => sent.length > 0);
  });
  return { work };
}

test("the pressed side is shown at once, and the request and the rest of the page follow when it is painted", async () => {
  open();
  let work = Promise.resolve();
  act(() => {
    work = placing.place(yes, 500);
  });
  expect([pressed, placing.pending, wallet.availableCents, sent]).toEqual([yes, null, 1_000, []]);
  await act(async () => void (await waitFor("the request", () => sent.length > 0)));
  expect([pressed, placing.pending?.spot, wallet.availableCents]).toEqual([yes, yes, 500]);
  await answered(Response.json({ call: buildCall(), wallet: buildWallet(500, 2) }, { status: 201 }), work);
  expect([pressed, placing.pending]).toEqual([null, null]);
});

test("the cable's message may come before the answer: the wager counts once, and the waiting ends", async () => {
  open();
  const { work } = await press(500);
  const idempotencyKey = placing.pending?.key ?? "";
  const call = buildCall();
  act(() => announceCall("call:place", { call, serverTime: inSeconds(0), idempotencyKey }));
  expect([placing.pending, placing.news]).toEqual([null, "You called Yes, $5.00."]);
  expect(wallet.availableCents).toBe(500);
  act(() => announceBalance(buildWallet(500, 2)));
  expect([wallet.availableCents, wallet.pending]).toEqual([500, false]);
  await answered(Response.json({ call, wallet: buildWallet(500, 2) }, { status: 201 }), work);
  expect([wallet.availableCents, wallet.pending]).toEqual([500, false]);
});

test("a call from another device leaves the one that is being sent waiting", async () => {
  open();
  const { work } = await press(500);
  const detail = {
    call: buildCall({ id: 9 }),
    serverTime: inSeconds(0),
    idempotencyKey: "of another device",
  };
  act(() => announceCall("call:place", detail));
  act(() => announceBalance(buildWallet(700, 2)));
  expect(placing.pending).toMatchObject({ wagerCents: 500 });
  expect([wallet.availableCents, wallet.pending]).toEqual([200, true]);
  await answered(Response.json({ call: buildCall(), wallet: buildWallet(200, 3) }, { status: 201 }), work);
  expect([wallet.availableCents, wallet.pending]).toEqual([200, false]);
});

test("a refusal reverts all of it and shows the reason", async () => {
  open();
  const { work } = await press(500);
  const body = { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." };
  await answered(Response.json(body, { status: 422 }), work);
  expect([placing.pending, wallet.availableCents, wallet.pending]).toEqual([null, 1_000, false]);
  expect(placing.refusal).toBe("Call was 0.14 s late.");
  expect(applied).toEqual([]);
});

test("a cancelled call is removed after the answer; a refused cancellation changes nothing", async () => {
  open();
  let work = Promise.resolve();
  const cancel = async () => {
    await act(async () => {
      work = placing.cancel(buildCall());
      await Bun.sleep(0);
    });
  };
  await cancel();
  const body = { error: 'Validation failed: State cannot transition via "Destroy"', code: "invalid" };
  await answered(Response.json(body, { status: 422 }), work);
  expect(applied).toEqual([]);
  await cancel();
  await answered(new Response(null, { status: 204 }), work);
  expect(applied).toMatchObject([{ id: 1, state: "soft_destroyed", active: false }]);
});

test("a cancellation whose answer is lost is known from its message, and the player can go on", async () => {
  open();
  const call = buildCall();
  let work = Promise.resolve();
  act(() => {
    work = placing.cancel(call);
  });
  await waitFor("the request", () => sent.length === 1);
  await act(async () => {
    const detail = {
      call: { ...call, state: "soft_destroyed", active: false } as const,
      serverTime: inSeconds(0),
    };
    announceCall(CALL_CANCEL, detail);
    await work;
  });
  expect(applied).toMatchObject([{ id: call.id, state: "soft_destroyed" }]);
  expect([placing.refusal, placing.takenBack?.id]).toEqual([null, call.id]);
});

const placement = {
  key: "3f1c1f5e-0000-4000-8000-000000000001",
  spotId: 11,
  wagerCents: 250,
  onTheHouse: false,
};

/** An API with these outcomes, in order. */
function apiWith(...outcomes: (() => Response)[]) {
  const keys: (string | null)[] = [];
  const bodies: unknown[] = [];
  const api = createApi({
    inProcess: false,
    carry: overHttp({
      csrfToken: "token",
      send: (_path, init) => {
        keys.push(new Headers(init.headers).get("idempotency-key"));
        bodies.push(init.body);
        const outcome = outcomes.shift();
        if (outcome === undefined) throw new TypeError("no answer");
        return Promise.resolve(outcome());
      },
    }),
  });
  return { api, keys, bodies };
}

const placed = () => Response.json({ call: { id: 5 } }, { status: 201 });
const unreachable = (): Response => {
  throw new TypeError("connection refused");
};

test("without an answer the same call is sent again under the same key", async () => {
  const { api, keys, bodies } = apiWith(unreachable, () => new Response("", { status: 503 }), placed);
  expect(await placeWithKey(api, placement)).toMatchObject({ call: { id: 5 } });
  expect(keys).toEqual([placement.key, placement.key, placement.key]);
  expect(new Set(bodies)).toEqual(new Set(['{"call":{"spot_id":11,"wager":2.5}}']));
});

test("a call asks the house for what is missing where the page has said that it adds it", async () => {
  const { api, bodies } = apiWith(placed);
  await placeWithKey(api, { ...placement, wagerCents: 100, onTheHouse: true });
  expect(bodies).toEqual(['{"call":{"spot_id":11,"wager":1,"on_the_house":true}}']);
});

test("a refused call is not sent again", async () => {
  const late = () =>
    Response.json(
      { error: "Validation failed", code: "late", detail: "Call was 0.14 s late." },
      { status: 422 },
    );
  const { api, keys } = apiWith(late, placed);
  const refusal = await placeWithKey(api, placement).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(keys).toHaveLength(1);
});

test.each([401, 403, 404, 429])(
  "after an attempt without an answer a refusal with %i says nothing about it: the outcome is unknown",
  async (status) => {
    const refused = () => Response.json({ error: "Refused", code: "refused" }, { status });
    const { api, keys } = apiWith(unreachable, refused, placed);
    const error = await placeWithKey(api, placement).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unreachable);
    expect(keys).toHaveLength(2);
    // The first attempt may be refused like that: nothing was tried before.
    const first = await placeWithKey(apiWith(refused, placed).api, placement).catch(
      (reason: unknown) => reason,
    );
    expect(first).toBeInstanceOf(ApiError);
  },
);
const busy = () =>
  Response.json(
    { error: "Too many calls are coming in at once. Try again in a moment.", code: "too_many_calls" },
    { status: 503, headers: { "retry-after": "0" } },
  );

test("an overloaded server is retried, and its refusal is kept if that does not help", async () => {
  const { api, keys } = apiWith(busy, placed);
  expect(await placeWithKey(api, placement)).toMatchObject({ call: { id: 5 } });
  expect(keys).toEqual([placement.key, placement.key]);

  const crowded = apiWith(busy, busy, busy, busy, placed);
  const refusal = await placeWithKey(crowded.api, placement).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(String(refusal)).toContain("Try again in a moment.");
  expect(crowded.keys).toHaveLength(4);
});
