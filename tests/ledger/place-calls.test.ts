import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { placeCalls, placedCall } from "#db/ledger/place-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { runClock, stopClockAt } from "#tests/support/database.ts";
import { testLedger } from "./fixtures.ts";

const ledger = await testLedger();
const { pool, db } = ledger;

const run = (statement: string) => db.execute(sql.raw(statement));
async function rows(statement: string) {
  return [...(await run(statement))];
}

test("a placed call holds its wager, joins its spot's pool, registers its player and writes one fact", async () => {
  const sessionId = await ledger.session();
  const event = await ledger.openEvent({ sessionId });
  const userId = await ledger.player();
  const first = await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 250 });
  await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 50 });
  expect(await ledger.balances(userId)).toEqual([10_000, 300, 0]);
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
  await ledger.expectToAgree();
});

test("the same key returns the first call; with another call it is refused", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const call = { userId, spotId: event.trueSpot, idempotencyKey: `it's "odd" \\ {key}, ü` };
  const callId = await ledger.call(call);
  const before = await digestTables(db);
  expect(await ledger.place(call)).toMatchObject({ code: "replayed", callId, lateMs: null });
  expect(await ledger.place({ ...call, wagerCents: 101 })).toMatchObject({ code: "key_reused", callId });
  expect(await ledger.place({ ...call, spotId: event.falseSpot })).toMatchObject({ code: "key_reused" });
  expect(await digestTables(db)).toBe(before);
  await ledger.settle(event, "true");
  expect(await ledger.place(call)).toMatchObject({ code: "replayed", callId, lateMs: null });
});

test("twenty concurrent requests with one key are one call", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const call = { userId, spotId: event.trueSpot, idempotencyKey: "tapped-twice", wagerCents: 70 };
  const answers = await Promise.all(Array.from({ length: 20 }, () => ledger.place(call)));
  expect(answers.filter(({ code }) => code === "placed")).toHaveLength(1);
  expect(new Set(answers.map(({ callId }) => callId)).size).toBe(1);
  expect(await ledger.balances(userId)).toEqual([10_000, 70, 0]);
});

test("a batch answers in the order of its calls, and judges one player's calls one by one", async () => {
  const event = await ledger.openEvent();
  const other = await ledger.openEvent({ maxWagerCents: 50 });
  const [one, two] = [await ledger.player(100), await ledger.player(100)];
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
  expect(await ledger.balances(one)).toEqual([100, 100, 0]);
  expect(await ledger.balances(two)).toEqual([100, 100, 0]);
  await ledger.expectToAgree();
});

test("a new round counts its spots from zero", async () => {
  const event = await ledger.openEvent();
  await ledger.call({ userId: await ledger.player(), spotId: event.trueSpot });
  await ledger.settle(event, "true");
  await ledger.reset(event);
  expect(
    await rows(`SELECT calls_count, pool_cents::int FROM spots WHERE event_id = ${event.id}`),
  ).toMatchObject([
    { calls_count: 0, pool_cents: 0 },
    { calls_count: 0, pool_cents: 0 },
  ]);
  await ledger.expectToAgree();
});

test("a call counts only with a sign-in of its player", async () => {
  const event = await ledger.openEvent();
  const [userId, other] = [await ledger.player(), await ledger.player()];
  const [signIn] = await rows(`INSERT INTO sign_ins (user_id, csrf_secret, expires_at)
    VALUES (${userId}, 'secret', clock_timestamp() + interval '1 hour') RETURNING id`);
  const signInId = String(signIn?.["id"]);
  const call = { userId, signInId, spotId: event.trueSpot };
  const before = await digestTables(db);
  for (const refused of [
    { ...call, userId: other },
    { ...call, signInId: crypto.randomUUID() },
  ])
    expect(await ledger.place(refused)).toMatchObject({ code: "signed_out", callId: null, details: null });
  expect(await digestTables(db)).toBe(before);
  expect(await ledger.place(call)).toMatchObject({ code: "placed", details: { userId } });
});

test("the rows of the statement are what their schema says", async () => {
  const sessionId = await ledger.session();
  const event = await ledger.openEvent({ sessionId });
  const userId = await ledger.player();
  const call = { userId, spotId: event.trueSpot, idempotencyKey: "schema" };
  for (const each of [call, { ...call, wagerCents: 99_999, idempotencyKey: "refused" }, call]) {
    const answer = await ledger.place(each);
    expect(v.is(placedCall, answer)).toBe(true);
  }
  await ledger.settle(event, "true");
  const played = await ledger.place({
    ...call,
    spotId: (await ledger.openEvent()).trueSpot,
    idempotencyKey: "more",
  });
  expect(v.is(placedCall, played)).toBe(true);
  expect(played.details).toMatchObject({ sessionId: null, sessionSlug: null });
});

const refused = ledger.refusedCall;

test("a call is refused on an invisible event, an unknown spot and without a wallet", async () => {
  const userId = await ledger.player();
  expect(await refused({ userId, spotId: 999_999 })).toBe("not_found");
  expect(await refused({ userId: 999_999, spotId: (await ledger.openEvent()).trueSpot })).toBe("not_found");
  expect(await refused({ userId, spotId: (await ledger.draft()).trueSpot })).toBe("not_found");
});

test("a call is refused if the event is not open or its session is not running", async () => {
  const userId = await ledger.player();
  const visible = await ledger.draft();
  await run(`UPDATE events SET state = 'visible' WHERE id = ${visible.id}`);
  expect(await refused({ userId, spotId: visible.trueSpot })).toBe("wrong_state");
  const closed = await ledger.openEvent();
  await ledger.close(closed);
  expect(await refused({ userId, spotId: closed.trueSpot })).toBe("wrong_state");
  const sessionId = await ledger.session();
  const stopped = await ledger.openEvent({ sessionId });
  await run(`UPDATE sessions SET state = 'stopped', stopped_at = now() WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: stopped.trueSpot })).toBe("wrong_state");
});

/** Lets the event close at a whole second. @returns that moment. */
async function closeAtSecond({ id }: { id: number }): Promise<number> {
  const [row] = await rows(`UPDATE events SET closes_at = date_trunc('second', closes_at) WHERE id = ${id}
    RETURNING extract(epoch FROM closes_at)::int AS seconds`);
  return Number(row?.["seconds"]) * 1000;
}

test("a call is refused from the close on, by the database's clock, with its lateness", async () => {
  const userId = await ledger.player();
  const event = await ledger.openEvent();
  const closesAtMs = await closeAtSecond(event);
  const call = { userId, spotId: event.trueSpot };
  await stopClockAt(pool, new Date(closesAtMs - 1));
  expect(await ledger.place(call)).toMatchObject({ code: "placed" });
  await stopClockAt(pool, new Date(closesAtMs));
  const late = (lateMs: number) =>
    ({ code: "late", callId: null, lateMs, stale: false, details: null }) as const;
  expect(await ledger.place(call)).toEqual(late(0));
  await stopClockAt(pool, new Date(closesAtMs + 140));
  expect(await ledger.place(call)).toEqual(late(140));
  await ledger.close(event);
  expect(await ledger.place(call)).toEqual(late(140));
  expect(await ledger.balances(userId)).toEqual([10_000, 100, 0]);
  await ledger.resolve(event, { result: "true" });
  expect(await ledger.place(call)).toEqual(late(140));
  await runClock(pool);
});

test("a call on an event that the host closed early is refused for its state, and from the planned close on as late", async () => {
  const userId = await ledger.player();
  const event = await ledger.openEvent();
  const closesAtMs = await closeAtSecond(event);
  await run(`UPDATE events SET closed_at = closes_at - interval '3 seconds' WHERE id = ${event.id}`);
  await ledger.close(event);
  const call = { userId, spotId: event.trueSpot };
  await stopClockAt(pool, new Date(closesAtMs - 1));
  expect(await ledger.place(call)).toMatchObject({ code: "wrong_state", lateMs: null });
  await stopClockAt(pool, new Date(closesAtMs));
  expect(await ledger.place(call)).toMatchObject({ code: "late", lateMs: 3_000 });
  await runClock(pool);
});

test("a pause stops the clock: a call before the close is refused as paused, one after it as late", async () => {
  const userId = await ledger.player();
  const sessionId = await ledger.session();
  const event = await ledger.openEvent({ sessionId });
  await run(`UPDATE events SET closes_at = game_now() - interval '1 hour' WHERE id = ${event.id}`);
  await run(`UPDATE sessions SET state = 'paused', paused_at = (SELECT closes_at - interval '1 ms' FROM events
    WHERE id = ${event.id}) WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("paused");
  await run(`UPDATE sessions SET paused_at = paused_at + interval '1 ms' WHERE id = ${sessionId}`);
  expect(await refused({ userId, spotId: event.trueSpot })).toBe("late");
});

test("a call is refused outside the event's limits, which count all calls of the player", async () => {
  const userId = await ledger.player();
  const event = await ledger.openEvent({ minWagerCents: 50, maxWagerCents: 200 });
  expect(await refused({ userId, spotId: event.trueSpot, wagerCents: 49 })).toBe("below_min");
  expect(await refused({ userId, spotId: event.trueSpot, wagerCents: 201 })).toBe("over_max");
  const first = await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 150 });
  expect(await refused({ userId, spotId: event.falseSpot, wagerCents: 51 })).toBe("over_max");
  await cancelCall(db, { userId, callId: first });
  expect(await ledger.place({ userId, spotId: event.falseSpot, wagerCents: 200 })).toMatchObject({
    code: "placed",
  });
  const unlimited = await ledger.openEvent();
  expect(await refused({ userId, spotId: unlimited.trueSpot, wagerCents: 100_000_001 })).toBe("over_max");
  expect(await refused({ userId, spotId: unlimited.trueSpot, wagerCents: 0 })).toBe("below_min");
});
