import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDatabase } from "#tests/support/database.ts";
import { expectBooksToAgree } from "./books.ts";
import { buildOpenEvent, buildPlayer, closeEvent, placeCall } from "./fixtures.ts";

const database = await testDatabase();

/** Waits until this many connections wait for an advisory lock. */
async function waitForBlocked(count: number): Promise<void> {
  for (;;) {
    const [row] = await database.pool.db.execute(
      sql`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
    );
    if (Number(row?.["n"]) >= count) return;
    await Bun.sleep(2);
  }
}

test("a call that waits at the gate is judged by the clock and the state after the wait", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool, { closesInMs: 300 });
  const open = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const gated = Promise.withResolvers<undefined>();
  const closing = Promise.withResolvers<undefined>();
  const holder = inTransaction(pool.db, async (tx) => {
    await gateEvent(tx, open.id, event.id);
    gated.resolve(undefined);
    await closing.promise;
    await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${open.id}`);
  });
  await gated.promise;
  const calls = [
    placeCall(pool, { userId, spotId: event.trueSpot }),
    placeCall(pool, { userId, spotId: open.trueSpot }),
  ];
  await waitForBlocked(2);
  await Bun.sleep(300);
  closing.resolve(undefined);
  await holder;
  expect(await Promise.all(calls)).toMatchObject([{ code: "late" }, { code: "wrong_state", lateMs: null }]);
  await expectBooksToAgree(pool);
});

test("a close waits for the calls in flight and closes them too", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const placedOne = Promise.withResolvers<undefined>();
  const placing = Promise.withResolvers<undefined>();
  const inFlight = inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SELECT * FROM place_calls(ARRAY[${userId}]::bigint[], ARRAY[${event.trueSpot}]::bigint[],
      ARRAY[10]::bigint[], ARRAY['in-flight'])`);
    placedOne.resolve(undefined);
    await placing.promise;
  });
  await placedOne.promise;
  const closing = closeEvent(pool, event);
  await waitForBlocked(1);
  placing.resolve(undefined);
  await inFlight;
  expect(await closing).toBe(1);
  await expectBooksToAgree(pool);
});

test("the ledger refuses to work on an older snapshot", async () => {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const userId = await buildPlayer(pool);
  const before = await digestTables(pool.db);
  for (const statement of [
    sql`SELECT place_calls(ARRAY[${userId}]::bigint[], ARRAY[${event.trueSpot}]::bigint[], ARRAY[1]::bigint[], ARRAY['k'])`,
    sql`SELECT cancel_call(${userId}, 1)`,
    sql`SELECT close_calls(ARRAY[${event.id}]::bigint[])`,
    sql`SELECT destroy_call(1)`,
    sql`SELECT refund_active(${event.id}, 'skip')`,
    sql`SELECT settle_event_calls(${event.id}, 'true', NULL, NULL, NULL)`,
    sql`SELECT grant_play_money(${userId}, 1, ${`robot-${userId}-k`}, NULL, NULL)`,
  ]) {
    const work = pool.db.transaction((tx) => tx.execute(statement), { isolationLevel: "repeatable read" });
    expect(await work.catch((error: Error) => error.cause)).toMatchObject({ errno: "LK000" });
  }
  expect(await digestTables(pool.db)).toBe(before);
});
