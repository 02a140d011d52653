import { beforeEach, expect, test } from "bun:test";
import { createServer } from "#src/server.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { readWallet } from "#tests/support/books.ts";
import { buildEvent, buildPlayer, type BuiltUser, readSpots } from "#tests/support/build.ts";
import { type TestClient, signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
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
