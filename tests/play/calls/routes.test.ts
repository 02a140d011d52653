import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { callAnswer, callsAnswer } from "#src/play/calls/schemas.ts";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { listDifferences, readWallet } from "#tests/support/books.ts";
import {
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  type BuiltUser,
  readSpots,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

let player: BuiltUser;
let browser: TestClient;
let event: EventRow;
let spots: Awaited<ReturnType<typeof readSpots>>;

const deps = await testDeps();
const server = createServer(deps);

beforeEach(async () => {
  player = await buildPlayer(deps);
  browser = await signedInClient(deps, server, player);
  event = await buildEvent(deps, "open");
  spots = await readSpots(deps, event.id);
});

const place = (call: object, headers: Record<string, string> = {}) =>
  browser.send("POST", "/api/v1/calls", { call }, headers);

/** The state that a refusal must not change. */
async function readState() {
  const { revision, availableCents } = await readWallet(deps.pool.db, player.id);
  const { true: yes, false: no } = await readSpots(deps, event.id);
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
    const listed = v.parse(callsAnswer, (await browser.get("/api/v1/calls")).body);
    expect(listed.calls[0]).toEqual({ ...call, streak: 0 });
    expect(await findWalletView(deps.pool.db, player.id)).toEqual(wallet);
    results.push(wallet.metrics.callsPlaced);
    if (wager !== 1) continue;
    const other = await buildPlayer(deps);
    await buildCall(deps, { userId: other.id, eventId: event.id, side: "false" });
    await closeEvent(deps, { eventId: event.id, actor: null });
    await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
    const session = await buildRunningSession(deps);
    event = await buildEvent(deps, "open", { sessionId: session.id });
    spots = await readSpots(deps, event.id);
  }
  expect(results).toEqual([1, 2, 3]);
});

test("the default wager is one dollar, and camelCase is accepted", async () => {
  const { body } = await place({ spotId: spots.false.id });
  expect(v.parse(callAnswer, body).call).toMatchObject({ wager: 1, side: "false", label: "False" });
});

test("the same Idempotency-Key with the same call returns the first result", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const first = await place({ spot_id: spots.true.id, wager: 1 }, key);
  const second = await place({ spot_id: spots.true.id, wager: 1 }, key);

  expect([first.status, second.status]).toEqual([201, 201]);
  expect(v.parse(callAnswer, second.body)).toEqual(v.parse(callAnswer, first.body));
  expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(["false", "true"]);
  expect((await readState()).availableCents).toBe(9_900);
});

test("after the close a call is refused with the code for the spot's state", async () => {
  await closeEvent(deps, { eventId: event.id, actor: null });
  const before = await readState();
  const { status, body } = await place({ spot_id: spots.true.id });

  expect({ status, body }).toMatchObject({
    status: 422,
    body: {
      error: "Validation failed: Spot has wrong state",
      code: "invalid_spot_state",
      errors: { spot: ["has wrong state"] },
    },
  });
  expect(await readState()).toEqual(before);
});

test("signed-out clients cannot place, list or cancel", async () => {
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
  const stranger = await signedOutClient(server);
  const before = await readState();

  const answers = [
    await stranger.get("/api/v1/calls"),
    await stranger.send("POST", "/api/v1/calls", { call: { spot_id: spots.true.id } }),
    await stranger.send("DELETE", `/api/v1/calls/${callId}`),
  ];

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(await readState()).toEqual(before);
});

test("a guest can play", async () => {
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));

  expect(await place({ spot_id: spots.true.id })).toMatchObject({ status: 201 });
  expect(await browser.get("/api/v1/calls")).toMatchObject({ status: 200 });
});

test("a cancelled call stays listed as destroyed, and is not active", async () => {
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id });

  expect(await browser.send("DELETE", `/api/v1/calls/${callId}`)).toMatchObject({ status: 204, body: null });
  expect((await readState()).availableCents).toBe(10_000);
  const destroyed = { id: callId, state: "soft_destroyed", active: false, outcome: null, refundedBy: null };
  const bodyOf = async (query: string) => (await browser.get(`/api/v1/calls${query}`)).body;
  for (const query of ["", "?active=false", "?state=soft_destroyed"])
    expect(await bodyOf(query)).toMatchObject({ calls: [destroyed], meta: { totalCount: 1 } });
  expect(await bodyOf("?active=true")).toMatchObject({ calls: [], meta: { totalCount: 0 } });
});

test("cancelling another player's, an unknown or a closed call is refused", async () => {
  const other = await buildPlayer(deps);
  const othersId = await buildCall(deps, { userId: other.id, eventId: event.id });
  const ownId = await buildCall(deps, { userId: player.id, eventId: event.id });
  await closeEvent(deps, { eventId: event.id, actor: null });
  const before = await readState();

  for (const id of [othersId, 123_456_789, "12x"]) {
    expect(await browser.send("DELETE", `/api/v1/calls/${id}`)).toMatchObject({
      status: 404,
      body: { error: "not found", code: "not_found" },
    });
  }
  expect(await browser.send("DELETE", `/api/v1/calls/${ownId}`)).toMatchObject({
    status: 422,
    body: { errors: { state: ['cannot transition via "Destroy"'] } },
  });
  expect(await readState()).toEqual(before);
});

test("the list has the viewer's own calls, newest first, with filters by session, state and outcome", async () => {
  const session = await buildRunningSession(deps);
  const inSession = await buildEvent(deps, "open", { sessionId: session.id });
  const other = await buildPlayer(deps);
  const first = await buildCall(deps, { userId: player.id, eventId: event.id });
  const second = await buildCall(deps, { userId: player.id, eventId: inSession.id, side: "true" });
  await buildCall(deps, { userId: other.id, eventId: inSession.id, side: "false" });
  await resolveAndPay(deps, { eventId: inSession.id, actor: null, result: "true" });
  const idsOf = async (query: string) =>
    v.parse(callsAnswer, (await browser.get(`/api/v1/calls?${query}`)).body).calls.map(({ id }) => id);

  expect(await idsOf("")).toEqual([second, first]);
  expect(await idsOf("page=2&per_page=1")).toEqual([first]);
  expect(await idsOf(`session_id=${session.id}`)).toEqual([second]);
  expect(await idsOf(`session_id=${session.slug}`)).toEqual([second]);
  expect(await idsOf("state=placed")).toEqual([first]);
  expect(await idsOf("active=true")).toEqual([first]);
  expect(await idsOf("outcome=won")).toEqual([second]);
  expect(await idsOf("outcome=lost")).toEqual([]);
  const { calls, meta } = v.parse(callsAnswer, (await browser.get("/api/v1/calls?outcome=won")).body);
  expect(meta).toMatchObject({ currentPage: 1, perPage: 25, totalPages: 1, totalCount: 1 });
  expect(calls[0]).toMatchObject({
    sessionId: session.id,
    sessionSlug: session.slug,
    state: "resolved",
    payout: 2,
    net: 1,
    cancellable: false,
  });
});

test("an invalid filter is refused, and an unknown session is not found", async () => {
  expect(await browser.get("/api/v1/calls?state=sleeping")).toMatchObject({
    status: 422,
    body: { errors: { state: ["is invalid"] } },
  });
  expect(await browser.get("/api/v1/calls?per_page=101")).toMatchObject({ status: 422 });
  expect(await browser.get("/api/v1/calls?session_id=nowhere")).toMatchObject({ status: 404 });
});

test("a call is found by its key, for clients that got no response", async () => {
  const key = crypto.randomUUID();
  await place({ spot_id: spots.true.id }, { "idempotency-key": key });
  await place({ spot_id: spots.true.id });

  const { body } = await browser.get(`/api/v1/calls?idempotency_key=${key}`);
  expect(v.parse(callsAnswer, body).meta.totalCount).toBe(1);
});

test("of 300 concurrent one-cent calls on a wallet of 1.00 exactly 100 are accepted", async () => {
  player = await buildPlayer(deps, { balanceCents: 100 });
  browser = await signedInClient(deps, server, player);

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
  expect(await listDifferences(deps.pool.db)).toEqual([]);
});

const refusals: { what: string; call: () => object; code?: string; errors: object }[] = [
  {
    what: "a wager that is not a number",
    call: () => ({ spot_id: spots.true.id, wager: "1.50" }),
    errors: { wager: ["is not a number"] },
  },
  {
    what: "a wager of null",
    call: () => ({ spot_id: spots.true.id, wager: null }),
    errors: { wager: ["is not a number"] },
  },
  {
    what: "a wager with more than 2 decimals",
    call: () => ({ spot_id: spots.true.id, wager: 1.005 }),
    errors: { wager: ["is invalid"] },
  },
  {
    what: "a wager of nothing",
    call: () => ({ spot_id: spots.true.id, wager: 0 }),
    errors: { wager: ["must be greater than 0"] },
  },
  {
    what: "a wager below nothing",
    call: () => ({ spot_id: spots.true.id, wager: -1 }),
    errors: { wager: ["must be greater than 0"] },
  },
  {
    what: "a wager that no wallet holds",
    call: () => ({ spot_id: spots.true.id, wager: 1_000_000.01 }),
    errors: { wager: ["must be less than or equal to 1000000"] },
  },
  {
    what: "a wager of more than is available",
    call: () => ({ spot_id: spots.true.id, wager: 100.01 }),
    code: "insufficient_balance",
    errors: { wallet: ["has insufficient balance to cover"] },
  },
  {
    what: "a call for another user",
    call: () => ({ spot_id: spots.true.id, user_id: player.id + 1 }),
    errors: { userId: ["is invalid"] },
  },
  { what: "a call without a spot", call: () => ({}), errors: { spotId: ["is required"] } },
  {
    what: "a spot that is not there",
    call: () => ({ spot_id: 987_654_321 }),
    errors: { spot: ["must exist"] },
  },
  {
    what: "a spot beyond all numbers",
    call: () => ({ spot_id: 1e300 }),
    errors: { spotId: ["must be an integer"] },
  },
];
for (const { what, call, code = "invalid", errors } of refusals) {
  test(`${what} is refused, and nothing changes`, async () => {
    const before = await readState();
    const { status, body } = await place(call());
    expect({ status, body }).toMatchObject({ status: 422, body: { code, errors } });
    expect(await readState()).toEqual(before);
  });
}

test("a body without the call is refused as malformed", async () => {
  const { status, body } = await browser.send("POST", "/api/v1/calls", { spot_id: spots.true.id });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: "malformed" } });
});

test("the same Idempotency-Key with another call is refused, and so is one that is too long", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  await place({ spot_id: spots.true.id, wager: 1 }, key);
  const before = await readState();

  const other = await place({ spot_id: spots.false.id, wager: 1 }, key);
  const long = await place({ spot_id: spots.true.id }, { "idempotency-key": "k".repeat(129) });

  expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  expect(long).toMatchObject({
    status: 422,
    body: { errors: { idempotencyKey: ["is too long (maximum is 128 characters)"] } },
  });
  expect(await readState()).toEqual(before);
});
