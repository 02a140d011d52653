import { expect, test } from "bun:test";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { listEntries, readEntries } from "#db/ledger/list-entries.ts";
import type { WalletTransaction } from "#db/ledger/wallet-moves.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { unique, testLedger } from "./fixtures.ts";

const ledger = await testLedger();
const { db } = ledger;

const list = async (userId: number, limit = 100, offset = 0) => listEntries(db, { userId, limit, offset });
const short = ({ kind, amountCents, balanceAfterCents, availableAfterCents }: WalletTransaction) =>
  [kind, amountCents, balanceAfterCents, availableAfterCents] as const;

/** The list, oldest first. Checks that its running values begin at 0 and end at the wallet's. */
async function history(userId: number) {
  const { transactions, totalCount } = await list(userId);
  expect(transactions).toHaveLength(totalCount);
  const oldestFirst = transactions.toReversed();
  let available = 0;
  for (const each of oldestFirst) {
    available += each.amountCents;
    expect(each.availableAfterCents).toBe(available);
    expect(each.heldAfterCents).toBe(each.balanceAfterCents - available);
    expect(each.availableAfterCents).toBeGreaterThanOrEqual(0);
  }
  expect(new Set(transactions.map(({ id }) => id)).size).toBe(totalCount);
  expect(transactions[0]).toMatchObject(wallet(await readWallet(db, userId)));
  expect(await readInBatches(userId)).toMatchObject(oldestFirst);
  return oldestFirst;
}
async function readInBatches(userId: number): Promise<WalletTransaction[]> {
  const batches = await Array.fromAsync(readEntries(db, { userId, batchSize: 3 }));
  return batches.flat();
}
const wallet = (read: { postedCents: number; heldCents: number; availableCents: number }) => ({
  balanceAfterCents: read.postedCents,
  heldAfterCents: read.heldCents,
  availableAfterCents: read.availableCents,
});

test("a wallet's list has holds, releases, payouts, refunds and grants with both running values", async () => {
  const [ann, bob] = [await ledger.player(1_000), await ledger.player(1_000)];
  const sessionId = await ledger.session();
  const event = await ledger.openEvent({ sessionId });
  const first = await ledger.call({ userId: ann, spotId: event.trueSpot, wagerCents: 300 });
  const second = await ledger.call({ userId: ann, spotId: event.falseSpot, wagerCents: 50 });
  await ledger.call({ userId: bob, spotId: event.falseSpot, wagerCents: 100 });
  await cancelCall(db, { userId: ann, callId: second });
  await ledger.settle(event, "true");
  const voided = await ledger.openEvent();
  await ledger.call({ userId: ann, spotId: voided.trueSpot, wagerCents: 70 });
  await ledger.settle(voided, "void");

  const transactions = await history(ann);
  expect(transactions.map(short)).toEqual([
    ["grant", 1_000, 1_000, 1_000],
    ["hold", -300, 1_000, 700],
    ["hold", -50, 1_000, 650],
    ["release", 50, 1_000, 700],
    ["settle", 400, 1_100, 1_100],
    ["hold", -70, 1_100, 1_030],
    ["refund", 70, 1_100, 1_100],
  ]);
  expect(transactions[0]).toMatchObject({ reason: "Welcome", callId: null, eventId: null, paymentId: null });
  expect(transactions[4]).toMatchObject({
    id: `payout-${first}`,
    callId: first,
    eventId: event.id,
    sessionId,
    eventTitle: "Will it?",
    outcome: "won",
    owed: false,
  });
  expect((await history(bob)).map(short)).toEqual([
    ["grant", 1_000, 1_000, 1_000],
    ["hold", -100, 1_000, 900],
    ["settle", 0, 900, 900],
  ]);
});

test("corrections, resets, adjustments and debts are listed one by one", async () => {
  const [ann, bob] = [await ledger.player(1_000), await ledger.player(1_000)];
  const event = await ledger.openEvent();
  await ledger.call({ userId: ann, spotId: event.trueSpot, wagerCents: 300 });
  await ledger.call({ userId: bob, spotId: event.falseSpot, wagerCents: 100 });
  await ledger.settle(event, "false"); // bob: 1300
  const spending = await ledger.openEvent();
  await ledger.call({ userId: bob, spotId: spending.trueSpot, wagerCents: 1_250 });
  await ledger.resolve(event, { result: "true", reason: "Wrong replay" }); // takes 400, 50 are left
  await grantPlayMoney(db, {
    userId: bob,
    amountCents: 500,
    idempotencyKey: `robot-${bob}-${unique()}`,
    reason: "Top up",
  });
  await ledger.reset(event); // gives bob his 100 back
  await adjustWithAudit(db, {
    userId: bob,
    amountCents: -20,
    idempotencyKey: `a-${unique()}`,
    actorId: ann,
    reason: "Fee",
  });

  const transactions = await history(bob);
  expect(transactions.map(short)).toEqual([
    ["grant", 1_000, 1_000, 1_000],
    ["hold", -100, 1_000, 900],
    ["settle", 400, 1_300, 1_300],
    ["hold", -1_250, 1_300, 50],
    ["correction", 350, 1_650, 400], // lent
    ["correction", -400, 1_250, 0],
    ["grant", 500, 1_750, 500],
    ["correction", -350, 1_400, 150], // paid back
    ["correction", 100, 1_500, 250],
    ["adjustment", -20, 1_480, 230],
  ]);
  expect(transactions.filter(({ owed }) => owed).map(({ amountCents }) => amountCents)).toEqual([350, -350]);
  expect(transactions[5]).toMatchObject({ reason: "Wrong replay", eventId: event.id });
  expect(transactions[9]).toMatchObject({ reason: "Fee" });
});
