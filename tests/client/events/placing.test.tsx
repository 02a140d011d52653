import { expect, test } from "bun:test";
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { AppContext } from "#client/base/page/context.ts";
import { announceCall, CALL_CANCEL } from "#client/calls/own-calls.ts";
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

test("a call is shown and lowers the available balance, and stays after the answer", async () => {
  open();
  const { work } = await press(500);
  expect(placing.pending).toMatchObject({ wagerCents: 500, checking: false, spot: { side: "true" } });
  expect([wallet.availableCents, wallet.pending]).toEqual([500, true]);
  const call = buildCall();
  await answered(Response.json({ call, wallet: buildWallet(500, 2) }, { status: 201 }), work);
  expect([placing.pending, wallet.availableCents, wallet.pending]).toEqual([null, 500, false]);
  expect(applied).toEqual([call]);
  expect(placing.news).toBe("You called Yes, $5.00.");
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

test("a call whose answer is lost but whose message came is no refusal", async () => {
  open();
  const { work } = await press(500);
  const idempotencyKey = placing.pending?.key ?? "";
  act(() => announceCall("call:place", { call: buildCall(), serverTime: inSeconds(0), idempotencyKey }));
  await answered(Response.json({ error: "Gone", code: "gone" }, { status: 410 }), work);
  expect([placing.refusal, placing.news]).toEqual([null, "You called Yes, $5.00."]);
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

test("a second press during the request sends nothing", async () => {
  open();
  const { work } = await press(500);
  await press(500);
  expect(sent).toEqual(["POST /api/v1/calls"]);
  expect(wallet.availableCents).toBe(500);
  await answered(Response.json({ call: buildCall(), wallet: buildWallet(500, 2) }, { status: 201 }), work);
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
