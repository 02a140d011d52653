import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { runClock, testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, refusalCodeOf } from "./books.ts";
import { buildOpenEvent, buildPlayer, buildSession, closeEvent, buildCall } from "./fixtures.ts";

const database = await testDatabase();

test("a cancelled call releases its hold, leaves the pool and writes one fact, also when cancelled again", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const callId = await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 300 });
  const kept = await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 50 });
  const answer = { callId, eventId: event.id, wagerCents: 300 };
  expect(await cancelCall(pool.db, { userId, callId })).toEqual(answer);
  const before = await digestTables(pool.db);
  expect(await cancelCall(pool.db, { userId, callId })).toEqual(answer);
  expect(await digestTables(pool.db)).toBe(before);
  expect(await balances(pool, userId)).toEqual([10_000, 50, 0]);
  const [spot] = await pool.db.execute(
    sql`SELECT calls_count, pool_cents::int FROM spots WHERE id = ${event.trueSpot}`,
  );
  expect(spot).toMatchObject({ calls_count: 1, pool_cents: 50 });
  const facts = await pool.db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'call_cancelled' AND payload->>'callId' IN (${callId}::text, ${kept}::text)`,
  );
  expect([...facts]).toMatchObject([{ payload: { callId } }]);
  await expectBooksToAgree(pool);
});

test("another player's call and an unknown call are not found", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const callId = await buildCall(pool, { userId: await buildPlayer(pool), spotId: event.trueSpot });
  expect(await refusalCodeOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("not_found");
  expect(await refusalCodeOf(pool, () => cancelCall(pool.db, { userId, callId: 999_999 }))).toBe("not_found");
});

test("a call cannot be cancelled from 5 s before the close", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const soon = await buildOpenEvent(pool, { closesInMs: 4_900 });
  const callId = await buildCall(pool, { userId, spotId: soon.trueSpot });
  expect(await refusalCodeOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("wrong_state");
});

test("a call on a closed event cannot be cancelled", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const closed = await buildOpenEvent(pool);
  const callId = await buildCall(pool, { userId, spotId: closed.trueSpot });
  await closeEvent(pool, closed);
  expect(await refusalCodeOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("wrong_state");
});

test("a pause stops the clock: a call can be cancelled if 5 s were left when the session was paused", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId, closesInMs: 12_000 });
  const callId = await buildCall(pool, { userId, spotId: event.trueSpot });
  const pauseWithLeft = (seconds: number) =>
    pool.db.execute(sql`UPDATE sessions SET state = 'paused',
      paused_at = (SELECT closes_at FROM events WHERE id = ${event.id}) - make_interval(secs => ${seconds})
      WHERE id = ${sessionId}`);
  await runClock(pool, { aheadMs: 3_600_000 });

  await pauseWithLeft(4.999);
  expect(await refusalCodeOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("wrong_state");
  await pauseWithLeft(5);
  expect(await cancelCall(pool.db, { userId, callId })).toMatchObject({ callId });
  expect(await balances(pool, userId)).toEqual([10_000, 0, 0]);
  await runClock(pool);
});
