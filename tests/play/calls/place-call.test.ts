import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { registrations } from "#db/schema/sessions.ts";
import { Refusal } from "#src/base/refusal.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import {
  buildDraft,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeEvent,
  resolveEvent,
  unique,
} from "#tests/ledger/fixtures.ts";
import { readWallet } from "#tests/support/books.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();

const key = () => `key-${unique()}`;

/** The available balance and the number of calls, which a refusal must not change. */
async function stateOf(userId: number) {
  const { availableCents, heldCents, revision } = await readWallet(deps.pool.db, userId);
  const rows = await deps.pool.db.select({ id: calls.id }).from(calls).where(eq(calls.userId, userId));
  return { availableCents, heldCents, revision, calls: rows.length };
}

/** Runs work that must be refused. Returns the refusal, and checks that the player's wallet and calls have not changed. */
async function refusalOf(userId: number, work: () => Promise<unknown>): Promise<Refusal> {
  const before = await stateOf(userId);
  const refused: unknown = await work().then(
    () => null,
    (error: unknown) => error,
  );
  expect(await stateOf(userId)).toEqual(before);
  if (refused instanceof Refusal) return refused;
  throw new Error("it was not refused", { cause: refused });
}

test("a call holds the wager, joins the pool and registers the player in the session", async () => {
  const sessionId = await buildSession(deps.pool);
  const event = await buildOpenEvent(deps.pool, { sessionId });
  const userId = await buildPlayer(deps.pool);

  const { callId, replayed } = await placeCall(deps, {
    viewer: { id: userId },
    spotId: event.trueSpot,
    wagerCents: 250,
    idempotencyKey: key(),
  });

  expect(replayed).toBe(false);
  const [call] = await deps.pool.db.select().from(calls).where(eq(calls.id, callId));
  expect(call).toMatchObject({ userId, eventId: event.id, state: "placed", wagerCents: 250 });
  expect(await stateOf(userId)).toMatchObject({ availableCents: 9_750, heldCents: 250 });
  const [spot] = await deps.pool.db.execute(
    sql`SELECT calls_count, pool_cents FROM spots WHERE id = ${event.trueSpot}`,
  );
  expect(spot).toEqual({ calls_count: 1, pool_cents: "250" });
  const joined = await deps.pool.db.select().from(registrations).where(eq(registrations.userId, userId));
  expect(joined).toHaveLength(1);
});

test("the same key with the same call returns the first result; with another call it is refused", async () => {
  const event = await buildOpenEvent(deps.pool);
  const viewer = { id: await buildPlayer(deps.pool) };
  const call = { viewer, spotId: event.trueSpot, wagerCents: 100, idempotencyKey: key() };
  const first = await placeCall(deps, call);

  expect(await placeCall(deps, call)).toMatchObject({ callId: first.callId, replayed: true });
  const refusal = await refusalOf(viewer.id, () => placeCall(deps, { ...call, wagerCents: 200 }));

  expect(refusal.status).toBe(422);
  expect(refusal.details.errors).toEqual({ idempotencyKey: ["has already been taken"] });
  expect((await stateOf(viewer.id)).calls).toBe(1);
});

test("a call above the available balance is refused", async () => {
  const event = await buildOpenEvent(deps.pool);
  const viewer = { id: await buildPlayer(deps.pool, 100) };

  const refusal = await refusalOf(viewer.id, () =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents: 101, idempotencyKey: key() }),
  );

  expect(refusal.code).toBe("insufficient_balance");
  expect(refusal.details.errors).toEqual({ wallet: ["has insufficient balance to cover"] });
});

test("a call on a closed event is refused with the state of its spot", async () => {
  const event = await buildOpenEvent(deps.pool);
  await closeEvent(deps.pool, event);
  const viewer = { id: await buildPlayer(deps.pool) };

  const refusal = await refusalOf(viewer.id, () =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents: 100, idempotencyKey: key() }),
  );

  expect(refusal.code).toBe("invalid_spot_state");
  expect(refusal.details.errors).toEqual({ spot: ["has wrong state"] });
});

test("a call after the close on the database's clock is late, and the refusal states by how much", async () => {
  const event = await buildOpenEvent(deps.pool);
  await deps.pool.db.execute(
    sql`UPDATE events SET closes_at = game_now() - interval '140 ms' WHERE id = ${event.id}`,
  );
  const viewer = { id: await buildPlayer(deps.pool) };

  const refusal = await refusalOf(viewer.id, () =>
    placeCall(deps, { viewer, spotId: event.falseSpot, wagerCents: 100, idempotencyKey: key() }),
  );

  expect(refusal.code).toBe("late");
  expect(refusal.details.errors).toEqual({ spot: ["has wrong state"] });
  expect(refusal.details.detail).toMatch(/^Call was \d+\.\d\d s late$/);
});

test("a call after the close is late also when the event has been closed by then, and when it is resolved", async () => {
  const event = await buildOpenEvent(deps.pool);
  await deps.pool.db.execute(
    sql`UPDATE events SET closes_at = game_now() - interval '140 ms' WHERE id = ${event.id}`,
  );
  await closeEvent(deps.pool, event);
  const viewer = { id: await buildPlayer(deps.pool) };
  const refusal = () =>
    refusalOf(viewer.id, () =>
      placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents: 100, idempotencyKey: key() }),
    );

  expect(await refusal()).toMatchObject({
    code: "late",
    details: {
      errors: { spot: ["has wrong state"] },
      detail: expect.stringMatching(/^Call was \d+\.\d\d s late$/),
    },
  });
  await resolveEvent(deps.pool, event, { result: "true" });
  expect(await refusal()).toMatchObject({ code: "late" });
});

test("a call after a host closed early is not late before the planned close", async () => {
  const event = await buildOpenEvent(deps.pool);
  await closeEvent(deps.pool, event);
  const viewer = { id: await buildPlayer(deps.pool) };

  const refusal = await refusalOf(viewer.id, () =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents: 100, idempotencyKey: key() }),
  );

  expect(refusal).toMatchObject({
    code: "invalid_spot_state",
    details: { detail: "This side has wrong state: the event takes no calls now." },
  });
});

test("a call during a pause is refused with that reason", async () => {
  const sessionId = await buildSession(deps.pool);
  const event = await buildOpenEvent(deps.pool, { sessionId });
  await deps.pool.db.execute(
    sql`UPDATE sessions SET state = 'paused', paused_at = game_now() WHERE id = ${sessionId}`,
  );
  const viewer = { id: await buildPlayer(deps.pool) };

  const refusal = await refusalOf(viewer.id, () =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents: 100, idempotencyKey: key() }),
  );

  expect(refusal).toMatchObject({ status: 422, code: "paused" });
  expect(refusal.details.errors).toEqual({ spot: ["has wrong state"] });
});

test("an unknown spot and a spot of a draft are refused in the same way", async () => {
  const draft = await buildDraft(deps.pool);
  const viewer = { id: await buildPlayer(deps.pool) };
  const call = { viewer, wagerCents: 100 };

  for (const spotId of [draft.trueSpot, 999_999_999]) {
    const refusal = await refusalOf(viewer.id, () =>
      placeCall(deps, { ...call, spotId, idempotencyKey: key() }),
    );
    expect(refusal).toMatchObject({ status: 422, code: "invalid" });
    expect(refusal.details.errors).toEqual({ spot: ["must exist"] });
  }
});

test("the limits are stated in dollars; the maximum counts the player's earlier calls on the event", async () => {
  const event = await buildOpenEvent(deps.pool, { minWagerCents: 50, maxWagerCents: 500 });
  const viewer = { id: await buildPlayer(deps.pool) };
  const call = { viewer, spotId: event.trueSpot };
  await placeCall(deps, { ...call, wagerCents: 300, idempotencyKey: key() });

  const below = await refusalOf(viewer.id, () =>
    placeCall(deps, { ...call, wagerCents: 49, idempotencyKey: key() }),
  );
  const above = await refusalOf(viewer.id, () =>
    placeCall(deps, { ...call, wagerCents: 201, idempotencyKey: key() }),
  );

  expect(below.details.errors).toEqual({ wager: ["must be greater than or equal to 0.5"] });
  expect(above.details.errors).toEqual({ wager: ["must be less than or equal to 5"] });
});

test("calls of a batch are judged one by one, and a refusal does not affect the others", async () => {
  const event = await buildOpenEvent(deps.pool);
  const poor = { id: await buildPlayer(deps.pool, 300) };
  const rich = { id: await buildPlayer(deps.pool) };
  const from = (viewer: { id: number }, wagerCents: number) =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents, idempotencyKey: key() });

  const results = await Promise.allSettled([
    from(poor, 200),
    from(poor, 200),
    from(poor, 100),
    from(rich, 500),
  ]);

  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await stateOf(poor.id)).toMatchObject({ availableCents: 0, heldCents: 300, calls: 2 });
});

test("a call that fails the statement of its batch fails alone", async () => {
  const event = await buildOpenEvent(deps.pool);
  const viewer = { id: await buildPlayer(deps.pool) };
  const place = (wagerCents: number, idempotencyKey = key()) =>
    placeCall(deps, { viewer, spotId: event.trueSpot, wagerCents, idempotencyKey });

  // The first runs alone; the others wait for it and share a batch. Postgres rejects a NUL in a text.
  const results = await Promise.allSettled([place(100), place(100, "bad\u0000key"), place(100)]);

  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await stateOf(viewer.id)).toMatchObject({ heldCents: 200, calls: 2 });
});
