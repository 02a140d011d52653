import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { callAnswer, callsAnswer } from "#src/play/calls/schemas.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { BuiltUser, readSpots } from "#tests/support/build.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

let player: BuiltUser;
let browser: TestClient;
let event: EventRow;
let spots: Awaited<ReturnType<typeof readSpots>>;

const { db, timer, build, read, client, unchanged } = await testWorld();

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  event = await build.event("open");
  spots = await read.spots(event.id);
});

const place = (call: object, headers: Record<string, string> = {}) =>
  browser.send("POST", "/api/v1/calls", { call }, headers);

/** The state that a refusal must not change. */
async function readState() {
  const { revision, availableCents } = await read.wallet(player.id);
  const { true: yes, false: no } = await read.spots(event.id);
  return { revision, availableCents, counts: [yes.callsCount, no.callsCount] };
}

test("placing a call returns the call and the wallet after it", async () => {
  const { status, body } = await place({ spot_id: spots.true.id, user_id: player.id, wager: 2.5 });

  expect(status).toBe(201);
  const { call, wallet } = v.parse(callAnswer, body);
  expect(call).toMatchObject({
    userId: player.id,
    eventId: event.id,
    spotId: spots.true.id,
    eventTitle: event.title,
    side: "true",
    label: "True",
    state: "placed",
    active: true,
    cancellable: true,
    wager: 2.5,
    wagerCents: 250,
    outcome: null,
    payout: null,
    net: null,
  });
  expect(wallet).toMatchObject({ balance: 100, availableBalance: 97.5, held: 2.5 });
  expect(wallet.metrics).toMatchObject({ pending: 2.5, callsPlaced: 1, won: 0, roi: null });
});

test("the response to a call agrees with the list and the wallet, before and after a result", async () => {
  const results = [];
  for (const wager of [2.5, 1, 3]) {
    const { body } = await place({ spot_id: spots.true.id, wager });
    const { call, wallet } = v.parse(callAnswer, body);
    const listed = await browser.read("/api/v1/calls", callsAnswer);
    expect(listed.calls[0]).toEqual({ ...call, streak: 0 });
    expect(await findWalletView(db, player.id)).toEqual(wallet);
    results.push(wallet.metrics.callsPlaced);
    if (wager !== 1) continue;
    const other = await build.player();
    await build.call({ userId: other.id, eventId: event.id, side: "false" });
    await timer.close(event.id);
    await timer.settle(event.id);
    const session = await build.runningSession();
    event = await build.event("open", { sessionId: session.id });
    spots = await read.spots(event.id);
  }
  expect(results).toEqual([1, 2, 3]);
});

test("the default wager is one dollar, and camelCase is accepted", async () => {
  const { body } = await place({ spotId: spots.false.id });
  expect(v.parse(callAnswer, body).call).toMatchObject({ wager: 1, side: "false", label: "False" });
});

test("a call is found by its key, for clients that got no response", async () => {
  const key = crypto.randomUUID();
  await place({ spot_id: spots.true.id }, { "idempotency-key": key });
  await place({ spot_id: spots.true.id });

  expect((await browser.read(`/api/v1/calls?idempotency_key=${key}`, callsAnswer)).meta.totalCount).toBe(1);
});

test("of 300 concurrent one-cent calls on a wallet of 1.00 exactly 100 are accepted", async () => {
  player = await build.player({ balanceCents: 100 });
  browser = await client(player);

  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      place({ spot_id: index % 2 === 0 ? spots.true.id : spots.false.id, wager: 0.01 }),
    ),
  );

  const accepted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(accepted).toHaveLength(100);
  expect(refused).toHaveLength(200);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 422, body: { code: "insufficient_balance" } });
  expect(await readState()).toMatchObject({
    availableCents: 0,
    counts: [expect.any(Number), expect.any(Number)],
  });
  expect(await read.differences()).toEqual([]);
});

const refusals: [what: string, call: () => object, errors: object][] = [
  ["a wager with more than 2 decimals", () => ({ wager: 1.005 }), { wager: ["is invalid"] }],
  ["a call for another user", () => ({ user_id: player.id + 1 }), { userId: ["is invalid"] }],
  ["a spot that is not there", () => ({ spot_id: 987_654_321 }), { spot: ["must exist"] }],
];
test.each(refusals)("%s is refused, and nothing changes", async (_, call, errors) => {
  const { status, body } = await unchanged(() => place({ spot_id: spots.true.id, ...call() }));
  expect({ status, body }).toMatchObject({ status: 422, body: { code: "invalid", errors } });
});
