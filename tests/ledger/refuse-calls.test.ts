import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDatabase, runClock, stopClockAt } from "#tests/support/database.ts";
import { balances, expectBooksToAgree } from "./books.ts";
import {
  buildDraft,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeEvent,
  placeCall,
  buildCall,
  resolveEvent,
} from "./fixtures.ts";

const database = await testDatabase();

const run = (statement: string) => database.pool.db.execute(sql.raw(statement));
async function rows(statement: string) {
  return [...(await run(statement))];
}

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
