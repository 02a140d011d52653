import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, fingerprint, refusalOf } from "./books.ts";
import { buildOpenEvent, buildPlayer, buildSession, closeEvent, placed } from "./stage.ts";

const database = await testDatabase();

test("a call taken back gives its hold back, leaves the pool and is told once, however often it is asked", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const callId = await placed(pool, { userId, spotId: event.trueSpot, wagerCents: 300 });
  const kept = await placed(pool, { userId, spotId: event.trueSpot, wagerCents: 50 });
  const answer = { callId, eventId: event.id, wagerCents: 300 };
  expect(await cancelCall(pool.db, { userId, callId })).toEqual(answer);
  const before = await fingerprint(pool);
  expect(await cancelCall(pool.db, { userId, callId })).toEqual(answer);
  expect(await fingerprint(pool)).toBe(before);
  expect(await balances(pool, userId)).toEqual([10_000, 50, 0]);
  const [spot] = await pool.db.execute(
    sql`SELECT calls_count, pool_cents::int FROM spots WHERE id = ${event.trueSpot}`,
  );
  expect(spot).toMatchObject({ calls_count: 1, pool_cents: 50 });
  const told = await pool.db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'call_cancelled' AND payload->>'callId' IN (${callId}::text, ${kept}::text)`,
  );
  expect([...told]).toMatchObject([{ payload: { callId } }]);
  await expectBooksToAgree(pool);
});

test("another player's call, and none at all, are not found", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const callId = await placed(pool, { userId: await buildPlayer(pool), spotId: event.trueSpot });
  expect(await refusalOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("not_found");
  expect(await refusalOf(pool, () => cancelCall(pool.db, { userId, callId: 999_999 }))).toBe("not_found");
});

test("from 5 s before the close on it is too late", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const soon = await buildOpenEvent(pool, { closesInMs: 4_900 });
  const callId = await placed(pool, { userId, spotId: soon.trueSpot });
  expect(await refusalOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("wrong_state");
});

test("a call on a closed event, or in a paused session, stays", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const closed = await buildOpenEvent(pool);
  const closedCall = await placed(pool, { userId, spotId: closed.trueSpot });
  await closeEvent(pool, closed);
  expect(await refusalOf(pool, () => cancelCall(pool.db, { userId, callId: closedCall }))).toBe(
    "wrong_state",
  );

  const sessionId = await buildSession(pool);
  const event = await buildOpenEvent(pool, { sessionId });
  const callId = await placed(pool, { userId, spotId: event.trueSpot });
  await pool.db.execute(
    sql`UPDATE sessions SET state = 'paused', paused_at = game_now() WHERE id = ${sessionId}`,
  );
  expect(await refusalOf(pool, () => cancelCall(pool.db, { userId, callId }))).toBe("wrong_state");
});
