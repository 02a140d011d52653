import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { cancelCall, destroyCall, refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree } from "./books.ts";
import {
  buildCall,
  buildOpenEvent,
  buildPlayer,
  type BuiltEvent,
  closeAndResolve,
  closeEvent,
  resetEvent,
  resolveEvent,
  writeRefundAudit,
} from "./fixtures.ts";
import { adjust } from "./move-money.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

const { pool } = await testDatabase();

afterTest(() => expectBooksToAgree(pool));

type Debtor = { userId: number; callId: number; other: BuiltEvent };

/** A player who owes 150 cents, because 200 won by a wrong result are held by a call on another event. */
async function buildDebtor(): Promise<Debtor> {
  const [userId, loser] = [await buildPlayer(pool, 100), await buildPlayer(pool, 100)];
  const [event, other] = [await buildOpenEvent(pool), await buildOpenEvent(pool)];
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 100 });
  await buildCall(pool, { userId: loser, spotId: event.falseSpot, wagerCents: 100 });
  await closeAndResolve(pool, event, "true");
  const callId = await buildCall(pool, { userId, spotId: other.trueSpot, wagerCents: 200 });
  await resolveEvent(pool, event, { result: "false", reason: "Looked at it again" });
  expect(await balances(pool, userId)).toEqual([200, 200, 200]);
  // Some of it is paid by income that comes while everything is held.
  await adjust(pool, userId, 50);
  expect(await balances(pool, userId)).toEqual([200, 200, 150]);
  return { userId, callId, other };
}

test("a call that a player takes back pays the debt first", async () => {
  const { userId, callId } = await buildDebtor();
  await cancelCall(pool.db, { userId, callId });
  expect(await balances(pool, userId)).toEqual([50, 0, 0]);
  const { transactions } = await listEntries(pool.db, { userId, limit: 2, offset: 0 });
  expect(transactions).toMatchObject([
    { kind: "correction", owed: true, amountCents: -150, availableAfterCents: 50, eventTitle: "Will it?" },
    { kind: "release", amountCents: 200, availableAfterCents: 200 },
  ]);
  await expectRecomputedHistory(pool, userId);
  // Again, it changes nothing.
  await cancelCall(pool.db, { userId, callId });
  expect(await balances(pool, userId)).toEqual([50, 0, 0]);
});

test("a call that the host takes back pays the debt first", async () => {
  const { userId, callId, other } = await buildDebtor();
  await inTransaction(pool.db, (tx) => destroyCall(tx, callId));
  await writeRefundAudit(pool.db, other, { destroyed: callId });
  expect(await balances(pool, userId)).toEqual([50, 0, 0]);
});

test("the refund of a skipped event pays the debts of all its players first", async () => {
  const { userId, other } = await buildDebtor();
  const friend = await buildPlayer(pool, 100);
  await buildCall(pool, { userId: friend, spotId: other.falseSpot, wagerCents: 40 });
  const second = await buildPlayer(pool, 30);
  await buildCall(pool, { userId: second, spotId: other.falseSpot, wagerCents: 30 });
  await adjust(pool, second, -100);
  await inTransaction(pool.db, (tx) => refundActiveCalls(tx, { eventId: other.id, cause: "skip" }));
  await writeRefundAudit(pool.db, other, "skip");
  expect(await balances(pool, userId)).toEqual([50, 0, 0]);
  expect(await balances(pool, friend)).toEqual([100, 0, 0]);
  expect(await balances(pool, second)).toEqual([0, 0, 70]);
});

test("the refund of a reset event pays the debt first", async () => {
  const { userId, other } = await buildDebtor();
  await resetEvent(pool, other);
  expect(await balances(pool, userId)).toEqual([50, 0, 0]);
});

for (const result of ["void", "true"] as const) {
  const name = result === "void" ? "a void" : "a result with one side only";
  test(`the wager that ${name} gives back pays the debt first`, async () => {
    const { userId, other } = await buildDebtor();
    await closeAndResolve(pool, other, result);
    expect(await balances(pool, userId)).toEqual([50, 0, 0]);
    await expectRecomputedHistory(pool, userId);
  });
}

test("what one call releases pays the debt also where another call of the settlement loses", async () => {
  const userId = await buildPlayer(pool, 300);
  const rival = await buildPlayer(pool, 100);
  const event = await buildOpenEvent(pool);
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 200 });
  await buildCall(pool, { userId, spotId: event.falseSpot, wagerCents: 100 });
  await buildCall(pool, { userId: rival, spotId: event.trueSpot, wagerCents: 100 });
  await adjust(pool, userId, -120);
  expect(await balances(pool, userId)).toEqual([300, 300, 120]);
  await closeEvent(pool, event);
  // 400 are shared by wagers of 200 and 100: 267 and 133. The player has lost 33, and 300 held cents are free.
  await resolveEvent(pool, event, { result: "true" });
  expect(await balances(pool, userId)).toEqual([147, 0, 0]);
});

test("a debt that a correction makes greater is paid later from what is released", async () => {
  const { userId, callId } = await buildDebtor();
  await adjust(pool, userId, -100);
  expect(await balances(pool, userId)).toEqual([200, 200, 250]);
  await cancelCall(pool.db, { userId, callId });
  expect(await balances(pool, userId)).toEqual([0, 0, 50]);
  const [journals] = await pool.db.execute(
    sql`SELECT count(*)::int AS count FROM journal WHERE kind = 'repay' AND idempotency_key = ${`repay-${callId}`}`,
  );
  expect(journals).toEqual({ count: 1 });
});
