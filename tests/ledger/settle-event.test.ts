import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { grantPlayMoney, openWallet } from "#db/ledger/grant-play-money.ts";
import { checkFence } from "#db/ledger/locks.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { unique, testLedger } from "./fixtures.ts";

const ledger = await testLedger();
const { db } = ledger;

/** Ann has 3.00 on True, Bob 1.00 on False; both wallets have 100.00. */
async function buildDuel() {
  const event = await ledger.openEvent();
  const [ann, bob] = [await ledger.player(), await ledger.player()];
  await ledger.call({ userId: ann, spotId: event.trueSpot, wagerCents: 300 });
  await ledger.call({ userId: bob, spotId: event.falseSpot, wagerCents: 100 });
  return { event, ann, bob };
}

test("settling pays the pool to the winners, and writes one fact", async () => {
  const { event, ann, bob } = await buildDuel();
  expect(await ledger.close(event)).toBe(2);
  expect(await ledger.balances(bob)).toEqual([10_000, 100, 0]);
  const settlementId = await ledger.resolve(event, { result: "true" });
  expect(await ledger.balances(ann)).toEqual([10_100, 0, 0]);
  expect(await ledger.balances(bob)).toEqual([9_900, 0, 0]);
  const facts = await db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'event_settled' AND payload->>'eventId' = ${event.id}::text`,
  );
  expect([...facts]).toMatchObject([{ payload: { eventId: event.id, settlementId, round: 1 } }]);
  await ledger.expectToAgree();
});

test("settling is refused before the close, while calls are placed, and for an unknown event", async () => {
  const { event } = await buildDuel();
  const settle = (eventId: number) => () =>
    inTransaction(db, (tx) => settleEvent(tx, { eventId, result: "true", actorId: null }));
  expect(await ledger.refusalOf(settle(event.id))).toBe("wrong_state");
  expect(await ledger.refusalOf(settle((await ledger.draft()).id))).toBe("wrong_state");
  expect(await ledger.refusalOf(settle(999_999))).toBe("not_found");
  const early = () =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${event.id}`);
      await settleEvent(tx, { eventId: event.id, result: "true", actorId: null });
    });
  expect(await ledger.refusalOf(early)).toBe("wrong_state");
});

test("settling again with the same result changes nothing, also ten times concurrently", async () => {
  const { event } = await buildDuel();
  await ledger.close(event);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ledger.resolve(event, { result: "true" })),
  );
  expect(new Set(answers).size).toBe(1);
  const before = await digestTables(db);
  await inTransaction(db, (tx) => settleEvent(tx, { eventId: event.id, result: "true", actorId: null }));
  expect(await digestTables(db)).toBe(before);
});

test("settling again with another result books the difference as a journal that supersedes the first", async () => {
  const { event, ann, bob } = await buildDuel();
  await ledger.settle(event, "true");
  expect(await ledger.refusalOf(() => ledger.resolve(event, { result: "false" }))).toBe("reason_required");
  await ledger.resolve(event, { result: "false", reason: "Wrong replay" });
  expect(await ledger.balances(ann)).toEqual([9_700, 0, 0]);
  expect(await ledger.balances(bob)).toEqual([10_300, 0, 0]);
  await ledger.resolve(event, { result: "void", reason: "Unclear" });
  expect(await ledger.balances(ann)).toEqual([10_000, 0, 0]);
  await ledger.resolve(event, { result: "true", reason: "Clear again" });
  expect(await ledger.balances(ann)).toEqual([10_100, 0, 0]);
  const settlements = await db.execute(
    sql`SELECT s.version, s.superseded, j.kind, j.reason, j.supersedes_id IS NOT NULL AS corrects
      FROM settlements s JOIN journal j ON j.id = s.journal_id WHERE s.event_id = ${event.id} ORDER BY 1`,
  );
  expect([...settlements]).toMatchObject([
    { version: 1, superseded: true, kind: "settle", corrects: false },
    { version: 2, superseded: true, kind: "resettle", reason: "Wrong replay", corrects: true },
    { version: 3, superseded: true, kind: "resettle" },
    { version: 4, superseded: false, kind: "resettle" },
  ]);
  await ledger.expectToAgree();
});

const key = () => `key-${unique()}`;

test("a wallet is opened once, also by concurrent requests", async () => {
  const userId = await ledger.player(0);
  const ids = await Promise.all(Array.from({ length: 8 }, () => openWallet(db, userId)));
  expect(new Set(ids).size).toBe(1);
  expect(await ledger.balances(userId)).toEqual([0, 0, 0]);
});

test("one key is one grant, also for concurrent requests", async () => {
  const userId = await ledger.player(0);
  const grant = { userId, amountCents: 500, idempotencyKey: `welcome-${userId}`, reason: "Welcome" };
  const journals = await Promise.all(Array.from({ length: 8 }, () => grantPlayMoney(db, grant)));
  expect(new Set(journals).size).toBe(1);
  expect(await ledger.balances(userId)).toEqual([500, 0, 0]);
  expect(await ledger.refusalOf(() => grantPlayMoney(db, { ...grant, amountCents: 501 }))).toBe("key_reused");
  const facts = await db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'wallet_changed' AND payload->>'userId' = ${userId}::text`,
  );
  expect([...facts]).toMatchObject([{ payload: { userId } }]);
  await ledger.expectToAgree();
});

test("a grant of 0 or less, or for an unknown user, is refused", async () => {
  const userId = await ledger.player();
  const grant = (to: number, amountCents: number) => () =>
    grantPlayMoney(db, { userId: to, amountCents, idempotencyKey: `welcome-${to}`, reason: "Welcome" });
  expect(await ledger.refusalOf(grant(userId, 0))).toBe("invalid_amount");
  expect(await ledger.refusalOf(grant(userId, -1))).toBe("invalid_amount");
  expect(await ledger.refusalOf(grant(999_999, 5))).toBe("not_found");
});

test("an adjustment needs a reason; an amount above the available balance is owed", async () => {
  const userId = await ledger.player(1_000);
  const event = await ledger.openEvent();
  await ledger.call({ userId, spotId: event.trueSpot, wagerCents: 900 });
  const adjust = (amountCents: number, reason = "Paid twice") =>
    adjustWithAudit(db, { userId, amountCents, idempotencyKey: key(), actorId: userId + 1, reason });
  expect(await ledger.refusalOf(() => adjust(-50, ""))).toBe("reason_required");
  expect(await ledger.refusalOf(() => adjust(0))).toBe("invalid_amount");
  await adjust(-50);
  expect(await ledger.balances(userId)).toEqual([950, 900, 0]);
  await adjust(-80);
  expect(await ledger.balances(userId)).toEqual([900, 900, 30]);
  await adjust(25);
  expect(await ledger.balances(userId)).toEqual([900, 900, 5]);
  await ledger.expectToAgree();
});

test("a reading of a wallet has a higher revision after every change", async () => {
  const userId = await ledger.player();
  const before = await readWallet(db, userId);
  await ledger.call({ userId, spotId: (await ledger.openEvent()).trueSpot, wagerCents: 200 });
  expect(await readWallet(db, userId)).toEqual({
    ...before,
    heldCents: 200,
    heldCalls: 1,
    availableCents: 9_800,
    revision: before.revision + 1,
  });
});

test("an older fencing token is refused after a newer one has written", async () => {
  const fences = [
    { kind: "event", id: (await ledger.draft()).id },
    { kind: "session", id: await ledger.session() },
    { kind: "wallet", id: await ledger.player() },
  ] as const;
  for (const fence of fences) {
    const check = (token: number) => () => inTransaction(db, (tx) => checkFence(tx, { ...fence, token }));
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_124)();
    expect(await ledger.refusalOf(check(1_795_257_669_070_123))).toBe("stale_lock");
  }
});
