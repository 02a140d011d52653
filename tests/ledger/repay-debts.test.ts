import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { cancelCall, destroyCall, refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { type BuiltEvent, writeRefundAudit, testLedger } from "./fixtures.ts";
import { adjust } from "./move-money.ts";
import { expectRecomputedHistory } from "./recomputed-history.ts";

const ledger = await testLedger();
const { pool, db } = ledger;

afterTest(() => ledger.expectToAgree());

type Debtor = { userId: number; callId: number; other: BuiltEvent };

/** A player who owes 150 cents, because 200 won by a wrong result are held by a call on another event. */
async function buildDebtor(): Promise<Debtor> {
  const [userId, loser] = [await ledger.player(100), await ledger.player(100)];
  const [event, other] = [await ledger.openEvent(), await ledger.openEvent()];
  await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 100 });
  await ledger.call({ userId: loser, spotId: event.falseSpot, wagerCents: 100 });
  await ledger.settle(event, "true");
  const callId = await ledger.call({ userId, spotId: other.trueSpot, wagerCents: 200 });
  await ledger.resolve(event, { result: "false", reason: "Looked at it again" });
  expect(await ledger.balances(userId)).toEqual([200, 200, 200]);
  // Some of it is paid by income that comes while everything is held.
  await adjust(pool, userId, 50);
  expect(await ledger.balances(userId)).toEqual([200, 200, 150]);
  return { userId, callId, other };
}

test("a call that a player takes back pays the debt first", async () => {
  const { userId, callId } = await buildDebtor();
  await cancelCall(db, { userId, callId });
  expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
  const { transactions } = await listEntries(db, { userId, limit: 2, offset: 0 });
  expect(transactions).toMatchObject([
    { kind: "correction", owed: true, amountCents: -150, availableAfterCents: 50, eventTitle: "Will it?" },
    { kind: "release", amountCents: 200, availableAfterCents: 200 },
  ]);
  await expectRecomputedHistory(pool, userId);
  // Again, it changes nothing.
  await cancelCall(db, { userId, callId });
  expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
});

test("a call that the host takes back pays the debt first", async () => {
  const { userId, callId, other } = await buildDebtor();
  await inTransaction(db, (tx) => destroyCall(tx, callId));
  await writeRefundAudit(db, other, { destroyed: callId });
  expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
});

test("the refund of a skipped event pays the debts of all its players first", async () => {
  const { userId, other } = await buildDebtor();
  const friend = await ledger.player(100);
  await ledger.call({ userId: friend, spotId: other.falseSpot, wagerCents: 40 });
  const second = await ledger.player(30);
  await ledger.call({ userId: second, spotId: other.falseSpot, wagerCents: 30 });
  await adjust(pool, second, -100);
  await inTransaction(db, (tx) => refundActiveCalls(tx, { eventId: other.id, cause: "skip" }));
  await writeRefundAudit(db, other, "skip");
  expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
  expect(await ledger.balances(friend)).toEqual([100, 0, 0]);
  expect(await ledger.balances(second)).toEqual([0, 0, 70]);
});

test("the refund of a reset event pays the debt first", async () => {
  const { userId, other } = await buildDebtor();
  await ledger.reset(other);
  expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
});

for (const result of ["void", "true"] as const) {
  const name = result === "void" ? "a void" : "a result with one side only";
  test(`the wager that ${name} gives back pays the debt first`, async () => {
    const { userId, other } = await buildDebtor();
    await ledger.settle(other, result);
    expect(await ledger.balances(userId)).toEqual([50, 0, 0]);
    await expectRecomputedHistory(pool, userId);
  });
}

test("what one call releases pays the debt also where another call of the settlement loses", async () => {
  const userId = await ledger.player(300);
  const rival = await ledger.player(100);
  const event = await ledger.openEvent();
  await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 200 });
  await ledger.call({ userId, spotId: event.falseSpot, wagerCents: 100 });
  await ledger.call({ userId: rival, spotId: event.trueSpot, wagerCents: 100 });
  await adjust(pool, userId, -120);
  expect(await ledger.balances(userId)).toEqual([300, 300, 120]);
  await ledger.close(event);
  // 400 are shared by wagers of 200 and 100: 267 and 133. The player has lost 33, and 300 held cents are free.
  await ledger.resolve(event, { result: "true" });
  expect(await ledger.balances(userId)).toEqual([147, 0, 0]);
});

test("a debt that a correction makes greater is paid later from what is released", async () => {
  const { userId, callId } = await buildDebtor();
  await adjust(pool, userId, -100);
  expect(await ledger.balances(userId)).toEqual([200, 200, 250]);
  await cancelCall(db, { userId, callId });
  expect(await ledger.balances(userId)).toEqual([0, 0, 50]);
  const [journals] = await db.execute(
    sql`SELECT count(*)::int AS count FROM journal WHERE kind = 'repay' AND idempotency_key = ${`repay-${callId}`}`,
  );
  expect(journals).toEqual({ count: 1 });
});
