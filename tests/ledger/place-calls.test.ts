import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { placeCalls, placedCall } from "#db/ledger/place-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { runClock, stopClockAt, testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree } from "./books.ts";
import {
  buildCall,
  buildDraft,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeAndResolve,
  closeEvent,
  placeCall,
  resetEvent,
  resolveEvent,
} from "./fixtures.ts";

const database = await testDatabase();

const run = (statement: string) => database.pool.db.execute(sql.raw(statement));
async function rows(statement: string) {
  return [...(await run(statement))];
}

test("a placed call holds its wager, joins its spot's pool, registers its player and writes one fact", async () => {
  const { pool } = database;
  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId });
  const userId = await buildPlayer(pool);
  const first = await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 250 });
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 50 });
  expect(await balances(pool, userId)).toEqual([10_000, 300, 0]);
  expect(
    await rows(`SELECT calls_count, pool_cents::int FROM spots WHERE id = ${event.trueSpot}`),
  ).toMatchObject([{ calls_count: 2, pool_cents: 300 }]);
  expect(
    await rows(`SELECT display_name = username AS named FROM registrations r JOIN users u ON u.id = r.user_id
      WHERE session_id = ${sessionId}`),
  ).toEqual([expect.objectContaining({ named: true })]);
  expect(
    await rows(`SELECT payload FROM outbox WHERE kind = 'calls_placed' AND payload->'callIds' @> '${first}'`),
  ).toMatchObject([{ payload: { callIds: [first] } }]);
  await expectBooksToAgree(pool);
});

test("an event without a session can be played", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  expect(await placeCall(pool, { userId: await buildPlayer(pool), spotId: event.falseSpot })).toMatchObject({
    code: "placed",
  });
});

test("the same key returns the first call; with another call it is refused", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const call = { userId, spotId: event.trueSpot, idempotencyKey: `it's "odd" \\ {key}, ü` };
  const callId = await buildCall(pool, call);
  const before = await digestTables(pool.db);
  expect(await placeCall(pool, call)).toMatchObject({ code: "replayed", callId, lateMs: null });
  expect(await placeCall(pool, { ...call, wagerCents: 101 })).toMatchObject({ code: "key_reused", callId });
  expect(await placeCall(pool, { ...call, spotId: event.falseSpot })).toMatchObject({ code: "key_reused" });
  expect(await digestTables(pool.db)).toBe(before);
  await closeAndResolve(pool, event, "true");
  expect(await placeCall(pool, call)).toMatchObject({ code: "replayed", callId, lateMs: null });
});

test("twenty concurrent requests with one key are one call", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const call = { userId, spotId: event.trueSpot, idempotencyKey: "tapped-twice", wagerCents: 70 };
  const answers = await Promise.all(Array.from({ length: 20 }, () => placeCall(pool, call)));
  expect(answers.filter(({ code }) => code === "placed")).toHaveLength(1);
  expect(new Set(answers.map(({ callId }) => callId)).size).toBe(1);
  expect(await balances(pool, userId)).toEqual([10_000, 70, 0]);
});

test("of 300 concurrent one-cent calls on a wallet of 1.00 exactly 100 are accepted", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool, 100);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      placeCall(pool, { userId, wagerCents: 1, spotId: n % 2 === 0 ? event.trueSpot : event.falseSpot }),
    ),
  );
  expect(answers.filter(({ code }) => code === "placed")).toHaveLength(100);
  expect(answers.filter(({ code }) => code === "insufficient")).toHaveLength(200);
  expect(await balances(pool, userId)).toEqual([100, 100, 0]);
  await expectBooksToAgree(pool);
});

test("a batch answers in the order of its calls, and judges one player's calls one by one", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const other = await buildOpenEvent(pool, { maxWagerCents: 50 });
  const [one, two] = [await buildPlayer(pool, 100), await buildPlayer(pool, 100)];
  const call = (userId: number, spotId: number, wagerCents: number, idempotencyKey: string) => ({
    userId,
    spotId,
    wagerCents,
    idempotencyKey,
  });
  const answers = await placeCalls(pool, [
    call(one, event.trueSpot, 60, "a"),
    call(two, event.falseSpot, 100, "a"),
    call(one, event.trueSpot, 50, "b"), // 60 + 50 is over 100
    call(one, event.falseSpot, 40, "c"), // the refused one does not count
    call(one, event.trueSpot, 60, "a"),
    call(one, other.trueSpot, 60, "d"),
    call(two, 999_999, 1, "e"),
    call(two, event.falseSpot, 99, "a"),
  ]);
  expect(answers.map(({ code }) => code)).toEqual([
    "placed",
    "placed",
    "insufficient",
    "placed",
    "replayed",
    "over_max",
    "not_found",
    "key_reused",
  ]);
  expect(answers[4]?.callId).toBe(answers[0]?.callId ?? null);
  expect(await balances(pool, one)).toEqual([100, 100, 0]);
  expect(await balances(pool, two)).toEqual([100, 100, 0]);
  await expectBooksToAgree(pool);
});

test("an empty batch returns nothing and writes nothing", async () => {
  const before = await digestTables(database.pool.db);
  expect(await placeCalls(database.pool, [])).toEqual([]);
  expect(await digestTables(database.pool.db)).toBe(before);
});

test("a new round counts its spots from zero", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  await buildCall(pool, { userId: await buildPlayer(pool), spotId: event.trueSpot });
  await closeAndResolve(pool, event, "true");
  await resetEvent(pool, event);
  expect(
    await rows(`SELECT calls_count, pool_cents::int FROM spots WHERE event_id = ${event.id}`),
  ).toMatchObject([
    { calls_count: 0, pool_cents: 0 },
    { calls_count: 0, pool_cents: 0 },
  ]);
  await expectBooksToAgree(pool);
});

test("a call counts only with a sign-in of its player", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const [userId, other] = [await buildPlayer(pool), await buildPlayer(pool)];
  const [signIn] = await rows(`INSERT INTO sign_ins (user_id, csrf_secret, expires_at)
    VALUES (${userId}, 'secret', clock_timestamp() + interval '1 hour') RETURNING id`);
  const signInId = String(signIn?.["id"]);
  const call = { userId, signInId, spotId: event.trueSpot };
  const before = await digestTables(pool.db);
  for (const refused of [
    { ...call, userId: other },
    { ...call, signInId: crypto.randomUUID() },
  ])
    expect(await placeCall(pool, refused)).toMatchObject({ code: "signed_out", callId: null, details: null });
  expect(await digestTables(pool.db)).toBe(before);
  expect(await placeCall(pool, call)).toMatchObject({ code: "placed", details: { userId } });
});

test("the rows of the statement are what their schema says", async () => {
  const { pool } = database;
  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId });
  const userId = await buildPlayer(pool);
  const call = { userId, spotId: event.trueSpot, idempotencyKey: "schema" };
  for (const each of [call, { ...call, wagerCents: 99_999, idempotencyKey: "refused" }, call]) {
    const answer = await placeCall(pool, each);
    expect(v.is(placedCall, answer)).toBe(true);
  }
  await closeAndResolve(pool, event, "true");
  const played = await placeCall(pool, {
    ...call,
    spotId: (await buildOpenEvent(pool)).trueSpot,
    idempotencyKey: "more",
  });
  expect(v.is(placedCall, played)).toBe(true);
  expect(played.details).toMatchObject({ sessionId: null, sessionSlug: null });
});

/** The code of a refused call. Checks that nothing has changed. */
async function refused(call: Parameters<typeof placeCall>[1]): Promise<string> {
  const before = await digestTables(database.pool.db);
  const { code, callId } = await placeCall(database.pool, call);
  expect(await digestTables(database.pool.db)).toBe(before);
  await expectBooksToAgree(database.pool);
  expect(callId).toBeNull();
  return code;
}

test("a call is refused on an invisible event, an unknown spot and without a wallet", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  expect(await refused({ userId, spotId: 999_999 })).toBe("not_found");
  expect(await refused({ userId: 999_999, spotId: (await buildOpenEvent(pool)).trueSpot })).toBe("not_found");
  expect(await refused({ userId, spotId: (await buildDraft(pool)).trueSpot })).toBe("not_found");
});

test("a call is refused if the event is not open or its session is not running", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const visible = await buildDraft(pool);
  await run(`UPDATE events SET state = 'visible' WHERE id = ${visible.id}`);
  expect(await refused({ userId, spotId: visible.trueSpot })).toBe("wrong_state");
  const closed = await buildOpenEvent(pool);
  await closeEvent(pool, closed);
  expect(await refused({ userId, spotId: closed.trueSpot })).toBe("wrong_state");
  const sessionId = await buildSession(pool);
  const stopped = await buildOpenEvent(pool, { sessionId });
  await run(`UPDATE sessions SET state = 'stopped', stopped_at = now() WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: stopped.trueSpot })).toBe("wrong_state");
});

test("a call is refused while the session is paused, and accepted after the resume", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId });
  await run(`UPDATE sessions SET state = 'paused', paused_at = now() WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("paused");
  await run(`UPDATE sessions SET state = 'running', paused_at = NULL WHERE id = ${sessionId}`);
  expect(await placeCall(pool, { userId, spotId: event.trueSpot })).toMatchObject({ code: "placed" });
});

test("a call is refused from the close on, by the database's clock, with its lateness", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const event = await buildOpenEvent(pool);
  const [row] =
    await rows(`UPDATE events SET closes_at = date_trunc('second', closes_at) WHERE id = ${event.id}
    RETURNING extract(epoch FROM closes_at)::int AS seconds`);
  const closesAtMs = Number(row?.["seconds"]) * 1000;
  const call = { userId, spotId: event.trueSpot };
  await stopClockAt(pool, new Date(closesAtMs - 1));
  expect(await placeCall(pool, call)).toMatchObject({ code: "placed" });
  await stopClockAt(pool, new Date(closesAtMs));
  expect(await placeCall(pool, call)).toEqual({
    code: "late",
    callId: null,
    lateMs: 0,
    stale: false,
    details: null,
  });
  await stopClockAt(pool, new Date(closesAtMs + 140));
  expect(await placeCall(pool, call)).toEqual({
    code: "late",
    callId: null,
    lateMs: 140,
    stale: false,
    details: null,
  });
  await closeEvent(pool, event);
  expect(await placeCall(pool, call)).toEqual({
    code: "late",
    callId: null,
    lateMs: 140,
    stale: false,
    details: null,
  });
  expect(await balances(pool, userId)).toEqual([10_000, 100, 0]);
  await resolveEvent(pool, event, { result: "true" });
  expect(await placeCall(pool, call)).toEqual({
    code: "late",
    callId: null,
    lateMs: 140,
    stale: false,
    details: null,
  });
  await runClock(pool);
});

test("a call on an event that the host closed early is refused for its state, and from the planned close on as late", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const event = await buildOpenEvent(pool);
  const [row] =
    await rows(`UPDATE events SET closes_at = date_trunc('second', closes_at) WHERE id = ${event.id}
    RETURNING extract(epoch FROM closes_at)::int AS seconds`);
  const closesAtMs = Number(row?.["seconds"]) * 1000;
  await run(`UPDATE events SET closed_at = closes_at - interval '3 seconds' WHERE id = ${event.id}`);
  await closeEvent(pool, event);
  const call = { userId, spotId: event.trueSpot };
  await stopClockAt(pool, new Date(closesAtMs - 1));
  expect(await placeCall(pool, call)).toMatchObject({ code: "wrong_state", lateMs: null });
  await stopClockAt(pool, new Date(closesAtMs));
  expect(await placeCall(pool, call)).toMatchObject({ code: "late", lateMs: 3_000 });
  await runClock(pool);
});

test("a pause stops the clock: a call before the close is refused as paused, one after it as late", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId });
  await run(`UPDATE events SET closes_at = game_now() - interval '1 hour' WHERE id = ${event.id}`);
  await run(`UPDATE sessions SET state = 'paused', paused_at = (SELECT closes_at - interval '1 ms' FROM events
    WHERE id = ${event.id}) WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("paused");
  await run(`UPDATE sessions SET paused_at = paused_at + interval '1 ms' WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("late");
});

test("a call is refused outside the event's limits, which count all calls of the player", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const event = await buildOpenEvent(pool, { minWagerCents: 50, maxWagerCents: 200 });
  expect(await refused({ userId, spotId: event.trueSpot, wagerCents: 49 })).toBe("below_min");
  expect(await refused({ userId, spotId: event.trueSpot, wagerCents: 201 })).toBe("over_max");
  const first = await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 150 });
  expect(await refused({ userId, spotId: event.falseSpot, wagerCents: 51 })).toBe("over_max");
  await cancelCall(pool.db, { userId, callId: first });
  expect(await placeCall(pool, { userId, spotId: event.falseSpot, wagerCents: 200 })).toMatchObject({
    code: "placed",
  });
  const unlimited = await buildOpenEvent(pool);
  expect(await refused({ userId, spotId: unlimited.trueSpot, wagerCents: 100_000_001 })).toBe("over_max");
  expect(await refused({ userId, spotId: unlimited.trueSpot, wagerCents: 0 })).toBe("below_min");
});

test("a call is refused above the available balance", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 100);
  const event = await buildOpenEvent(pool);
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 60 });
  expect(await refused({ userId, spotId: event.trueSpot, wagerCents: 41 })).toBe("insufficient");
});
