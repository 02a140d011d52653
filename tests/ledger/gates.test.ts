import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { holdTransaction } from "#tests/support/in-long-transaction.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { placeIn, testLedger } from "./fixtures.ts";

const ledger = await testLedger({ poolSize: 4 });
const { pool, db } = ledger;

async function readHeldCents(userId: number): Promise<number> {
  const [row] = await db.execute(
    sql`SELECT held_cents::float8 AS held FROM accounts WHERE user_id = ${userId} AND kind = 'wallet'`,
  );
  return Number(row?.["held"]);
}

test("calls on events that are held are busy and wait for nothing; the others of the batch are placed", async () => {
  const [held, closed, free] = [await ledger.openEvent(), await ledger.openEvent(), await ledger.openEvent()];
  const userId = await ledger.player();
  const spots = [held.trueSpot, free.trueSpot, closed.trueSpot, free.falseSpot];
  const place = () =>
    placeCalls(
      pool,
      spots.map((spotId, index) => ({
        userId,
        spotId,
        wagerCents: 10,
        idempotencyKey: `${userId}-${index}`,
      })),
    );
  await inTransaction(db, async (tx) => {
    await gateEvent(tx, held.id, closed.id);
    await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${closed.id}`);
    expect((await place()).map(({ code }) => code)).toEqual(["busy", "placed", "busy", "placed"]);
  });
  expect((await place()).map(({ code }) => code)).toEqual(["placed", "replayed", "wrong_state", "replayed"]);
  await ledger.expectToAgree();
});

test("a call on an event whose close waits is busy: it does not overtake the close", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const placing = await holdTransaction(db, (tx) => tx.execute(sql`SELECT event_gate_shared(${event.id})`));
  const closing = ledger.close(event);
  await untilBlocked(db);
  const call = { userId, spotId: event.trueSpot, wagerCents: 10, idempotencyKey: "meanwhile" };
  expect(await placeCalls(pool, [call])).toMatchObject([{ code: "busy", details: null }]);
  await placing.commit();
  expect(await closing).toBe(0);
  expect(await ledger.place({ userId, spotId: event.trueSpot })).toMatchObject({ code: "wrong_state" });
  await ledger.expectToAgree();
});

test("calls of a player whose wallet is held are busy, and nothing of theirs changes; the others are placed", async () => {
  const event = await ledger.openEvent();
  const [held, free] = [await ledger.player(), await ledger.player()];
  const before = await readHeldCents(held);
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`SELECT 1 FROM accounts WHERE user_id = ${held} FOR NO KEY UPDATE`);
    const placed = await placeCalls(
      pool,
      [held, free].map((userId) => ({
        userId,
        spotId: event.trueSpot,
        wagerCents: 10,
        idempotencyKey: "one",
      })),
    );
    expect(placed.map(({ code }) => code)).toEqual(["busy", "placed"]);
  });
  expect(await readHeldCents(held)).toBe(before);
  await ledger.expectToAgree();
});

test("a close waits for the calls in flight and closes them too", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const placing = await holdTransaction(db, (tx) => placeIn(tx, userId, event.trueSpot));
  const closing = ledger.close(event);
  await untilBlocked(db);
  await placing.commit();
  expect(await closing).toBe(1);
  await ledger.expectToAgree();
});

test("the ledger refuses to work on an older snapshot", async () => {
  const event = await ledger.openEvent();
  const userId = await ledger.player();
  const before = await digestTables(db);
  for (const statement of [
    sql`SELECT lock_for_calls(ARRAY[${userId}]::bigint[], ARRAY[${event.trueSpot}]::bigint[])`,
    sql`SELECT cancel_call(${userId}, 1)`,
    sql`SELECT close_calls(ARRAY[${event.id}]::bigint[])`,
    sql`SELECT destroy_call(1)`,
    sql`SELECT refund_active(${event.id}, 'skip')`,
    sql`SELECT settle_event_calls(${event.id}, 'true', NULL, NULL, NULL)`,
    sql`SELECT grant_play_money(${userId}, 1, ${`robot-${userId}-k`}, NULL, NULL)`,
  ]) {
    const work = db.transaction((tx) => tx.execute(statement), { isolationLevel: "repeatable read" });
    expect(await work.catch((error: Error) => error.cause)).toMatchObject({ errno: "LK000" });
  }
  expect(await digestTables(db)).toBe(before);
});
