import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { grantPlayMoney, openWallet } from "#db/ledger/grant-play-money.ts";
import { payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { queryRow } from "#db/ledger/query.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { adjustWithAudit } from "#tests/support/adjust.ts";
import { readWallet } from "#tests/support/books.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, refusalCodeOf } from "./books.ts";
import {
  buildCall,
  buildDraft,
  buildOpenEvent,
  buildPlayer,
  buildSession,
  closeAndResolve,
  closeEvent,
  openEvent,
  resetEvent,
  resolveEvent,
  unique,
} from "./fixtures.ts";

const database = await testDatabase();

/** Ann has 3.00 on True, Bob 1.00 on False; both wallets have 100.00. */
async function buildDuel() {
  const { pool } = database;
  const event = await buildOpenEvent(pool);
  const [ann, bob] = [await buildPlayer(pool), await buildPlayer(pool)];
  await buildCall(pool, { userId: ann, spotId: event.trueSpot, wagerCents: 300 });
  await buildCall(pool, { userId: bob, spotId: event.falseSpot, wagerCents: 100 });
  return { pool, event, ann, bob };
}

test("settling pays the pool to the winners, and writes one fact", async () => {
  const { pool, event, ann, bob } = await buildDuel();
  expect(await closeEvent(pool, event)).toBe(2);
  expect(await balances(pool, bob)).toEqual([10_000, 100, 0]);
  const settlementId = await resolveEvent(pool, event, { result: "true" });
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  expect(await balances(pool, bob)).toEqual([9_900, 0, 0]);
  const facts = await pool.db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'event_settled' AND payload->>'eventId' = ${event.id}::text`,
  );
  expect([...facts]).toMatchObject([{ payload: { eventId: event.id, settlementId, round: 1 } }]);
  await expectBooksToAgree(pool);
});

test("an open event closes and resolves in one transaction", async () => {
  const { pool, event, ann } = await buildDuel();
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${event.id}`);
    await closeCalls(tx, event.id);
    await settleEvent(tx, { eventId: event.id, result: "true", actorId: null });
    await tx.execute(sql`UPDATE events SET state = 'resolved', result = 'true' WHERE id = ${event.id}`);
    await tx.execute(
      sql`UPDATE spots SET won = side = 'true', state = 'closed' WHERE event_id = ${event.id}`,
    );
    await payWholeSettlement(tx, event.id);
  });
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  await expectBooksToAgree(pool);
});

test("without calls, winners or losers, or after a void, nobody gains or loses", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  await closeAndResolve(pool, await buildOpenEvent(pool), "true");
  for (const result of ["true", "false", "void"] as const) {
    const event = await buildOpenEvent(pool);
    await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 700 });
    await closeAndResolve(pool, event, result);
    expect(await balances(pool, userId)).toEqual([10_000, 0, 0]);
  }
  await expectBooksToAgree(pool);
});

test("calls placed at or after the effective time are refunded first", async () => {
  const { pool, event, ann, bob } = await buildDuel();
  const { effectiveAt } = await queryRow(
    pool.db,
    v.object({ effectiveAt: v.date() }),
    sql`SELECT date_trunc('milliseconds', game_now()) + interval '1 ms' AS "effectiveAt", pg_sleep(0.002)`,
  );
  const late = await buildPlayer(pool);
  await buildCall(pool, { userId: late, spotId: event.trueSpot, wagerCents: 5_000 });
  await closeEvent(pool, event);
  await resolveEvent(pool, event, { result: "true", effectiveAt });
  expect(await balances(pool, late)).toEqual([10_000, 0, 0]);
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  expect(await balances(pool, bob)).toEqual([9_900, 0, 0]);
  await expectBooksToAgree(pool);
});

test("settling is refused before the close, while calls are placed, and for an unknown event", async () => {
  const { pool, event } = await buildDuel();
  const settle = (eventId: number) => () =>
    inTransaction(pool.db, (tx) => settleEvent(tx, { eventId, result: "true", actorId: null }));
  expect(await refusalCodeOf(pool, settle(event.id))).toBe("wrong_state");
  expect(await refusalCodeOf(pool, settle((await buildDraft(pool)).id))).toBe("wrong_state");
  expect(await refusalCodeOf(pool, settle(999_999))).toBe("not_found");
  const early = () =>
    inTransaction(pool.db, async (tx) => {
      await tx.execute(sql`UPDATE events SET state = 'closed' WHERE id = ${event.id}`);
      await settleEvent(tx, { eventId: event.id, result: "true", actorId: null });
    });
  expect(await refusalCodeOf(pool, early)).toBe("wrong_state");
});

test("closing calls is refused before the event was open", async () => {
  const { pool } = database;
  const { id } = await buildDraft(pool);
  const close = (eventId: number) => () => inTransaction(pool.db, (tx) => closeCalls(tx, eventId));
  expect(await refusalCodeOf(pool, close(id))).toBe("wrong_state");
  expect(await refusalCodeOf(pool, close(999_999))).toBe("not_found");
});

test("settling again with the same result changes nothing, also ten times concurrently", async () => {
  const { pool, event } = await buildDuel();
  await closeEvent(pool, event);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => resolveEvent(pool, event, { result: "true" })),
  );
  expect(new Set(answers).size).toBe(1);
  const before = await digestTables(pool.db);
  await inTransaction(pool.db, (tx) => settleEvent(tx, { eventId: event.id, result: "true", actorId: null }));
  expect(await digestTables(pool.db)).toBe(before);
});

test("settling again with another result books the difference as a journal that supersedes the first", async () => {
  const { pool, event, ann, bob } = await buildDuel();
  await closeAndResolve(pool, event, "true");
  expect(await refusalCodeOf(pool, () => resolveEvent(pool, event, { result: "false" }))).toBe(
    "reason_required",
  );
  await resolveEvent(pool, event, { result: "false", reason: "Wrong replay" });
  expect(await balances(pool, ann)).toEqual([9_700, 0, 0]);
  expect(await balances(pool, bob)).toEqual([10_300, 0, 0]);
  await resolveEvent(pool, event, { result: "void", reason: "Unclear" });
  expect(await balances(pool, ann)).toEqual([10_000, 0, 0]);
  await resolveEvent(pool, event, { result: "true", reason: "Clear again" });
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  const settlements = await pool.db.execute(
    sql`SELECT s.version, s.superseded, j.kind, j.reason, j.supersedes_id IS NOT NULL AS corrects
      FROM settlements s JOIN journal j ON j.id = s.journal_id WHERE s.event_id = ${event.id} ORDER BY 1`,
  );
  expect([...settlements]).toMatchObject([
    { version: 1, superseded: true, kind: "settle", corrects: false },
    { version: 2, superseded: true, kind: "resettle", reason: "Wrong replay", corrects: true },
    { version: 3, superseded: true, kind: "resettle" },
    { version: 4, superseded: false, kind: "resettle" },
  ]);
  await expectBooksToAgree(pool);
});

test("winnings that were spent before a correction are owed, and later credits pay the debt first", async () => {
  const { pool, event, ann, bob } = await buildDuel();
  await closeAndResolve(pool, event, "false"); // Bob wins 3.00
  const spending = await buildOpenEvent(pool);
  await buildCall(pool, { userId: bob, spotId: spending.trueSpot, wagerCents: 10_300 });
  await resolveEvent(pool, event, { result: "true", reason: "Wrong replay" }); // 4.00 are taken back
  expect(await balances(pool, bob)).toEqual([10_300, 10_300, 400]);
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  await expectBooksToAgree(pool);

  const grant = (amountCents: number) =>
    grantPlayMoney(pool.db, {
      userId: bob,
      amountCents,
      idempotencyKey: `robot-${bob}-${unique()}`,
      reason: "Top up",
    });
  await grant(150);
  expect(await balances(pool, bob)).toEqual([10_300, 10_300, 250]);
  await grant(1_000);
  expect(await balances(pool, bob)).toEqual([11_050, 10_300, 0]);
  await expectBooksToAgree(pool);
});

test("a payout pays a debt first", async () => {
  const { pool, event, bob } = await buildDuel();
  await closeAndResolve(pool, event, "false");
  const next = await buildOpenEvent(pool);
  await buildCall(pool, { userId: bob, spotId: next.trueSpot, wagerCents: 10_300 });
  await buildCall(pool, { userId: await buildPlayer(pool), spotId: next.falseSpot, wagerCents: 1_000 });
  await resolveEvent(pool, event, { result: "true", reason: "Wrong replay" });
  expect(await balances(pool, bob)).toEqual([10_300, 10_300, 400]);
  await closeAndResolve(pool, next, "true"); // Bob gains 10.00
  expect(await balances(pool, bob)).toEqual([10_900, 0, 0]);
  await expectBooksToAgree(pool);
});

test("a reset reverses the payouts, and the next round is settled separately", async () => {
  const { pool, event, ann, bob } = await buildDuel();
  await closeAndResolve(pool, event, "true");
  await resetEvent(pool, event);
  expect(await balances(pool, ann)).toEqual([10_000, 0, 0]);
  expect(await balances(pool, bob)).toEqual([10_000, 0, 0]);
  await openEvent(pool.db, event);
  await buildCall(pool, { userId: ann, spotId: event.falseSpot, wagerCents: 100 });
  await buildCall(pool, { userId: bob, spotId: event.trueSpot, wagerCents: 100 });
  await resetEvent(pool, event); // refunds the open round
  await openEvent(pool.db, event);
  await buildCall(pool, { userId: ann, spotId: event.falseSpot, wagerCents: 100 });
  await buildCall(pool, { userId: bob, spotId: event.trueSpot, wagerCents: 100 });
  await closeAndResolve(pool, event, "false");
  expect(await balances(pool, ann)).toEqual([10_100, 0, 0]);
  expect(await balances(pool, bob)).toEqual([9_900, 0, 0]);
  await expectBooksToAgree(pool);
});

const key = () => `key-${unique()}`;

test("a wallet is opened once, also by concurrent requests", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 0);
  const ids = await Promise.all(Array.from({ length: 8 }, () => openWallet(pool.db, userId)));
  expect(new Set(ids).size).toBe(1);
  expect(await balances(pool, userId)).toEqual([0, 0, 0]);
});

test("one key is one grant, also for concurrent requests", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 0);
  const grant = { userId, amountCents: 500, idempotencyKey: `welcome-${userId}`, reason: "Welcome" };
  const journals = await Promise.all(Array.from({ length: 8 }, () => grantPlayMoney(pool.db, grant)));
  expect(new Set(journals).size).toBe(1);
  expect(await balances(pool, userId)).toEqual([500, 0, 0]);
  expect(await refusalCodeOf(pool, () => grantPlayMoney(pool.db, { ...grant, amountCents: 501 }))).toBe(
    "key_reused",
  );
  const facts = await pool.db.execute(
    sql`SELECT payload FROM outbox WHERE kind = 'wallet_changed' AND payload->>'userId' = ${userId}::text`,
  );
  expect([...facts]).toMatchObject([{ payload: { userId } }]);
  await expectBooksToAgree(pool);
});

test("a grant of 0 or less, or for an unknown user, is refused", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const grant = (to: number, amountCents: number) => () =>
    grantPlayMoney(pool.db, {
      userId: to,
      amountCents,
      idempotencyKey: `welcome-${to}`,
      reason: "Welcome",
    });
  expect(await refusalCodeOf(pool, grant(userId, 0))).toBe("invalid_amount");
  expect(await refusalCodeOf(pool, grant(userId, -1))).toBe("invalid_amount");
  expect(await refusalCodeOf(pool, grant(999_999, 5))).toBe("not_found");
});

test("an adjustment needs a reason; an amount above the available balance is owed", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool, 1_000);
  const event = await buildOpenEvent(pool);
  await buildCall(pool, { userId, spotId: event.trueSpot, wagerCents: 900 });
  const adjust = (amountCents: number, reason = "Paid twice") =>
    adjustWithAudit(pool.db, { userId, amountCents, idempotencyKey: key(), actorId: userId + 1, reason });
  expect(await refusalCodeOf(pool, () => adjust(-50, ""))).toBe("reason_required");
  expect(await refusalCodeOf(pool, () => adjust(0))).toBe("invalid_amount");
  await adjust(-50);
  expect(await balances(pool, userId)).toEqual([950, 900, 0]);
  await adjust(-80);
  expect(await balances(pool, userId)).toEqual([900, 900, 30]);
  await adjust(25);
  expect(await balances(pool, userId)).toEqual([900, 900, 5]);
  await expectBooksToAgree(pool);
});

test("a reading of a wallet has a higher revision after every change", async () => {
  const { pool } = database;
  const userId = await buildPlayer(pool);
  const before = await readWallet(pool.db, userId);
  await buildCall(pool, { userId, spotId: (await buildOpenEvent(pool)).trueSpot, wagerCents: 200 });
  const after = await readWallet(pool.db, userId);
  expect(after).toEqual({
    ...before,
    heldCents: 200,
    heldCalls: 1,
    availableCents: 9_800,
    revision: before.revision + 1,
  });
});

test("many wallets are read at once, without users who have none", async () => {
  const { pool } = database;
  const [one, two] = [await buildPlayer(pool, 1), await buildPlayer(pool, 2)];
  const wallets = await readWallets(pool.db, [two, 999_999, one]);
  expect(wallets.map(({ userId, postedCents }) => [userId, postedCents])).toEqual([
    [one, 1],
    [two, 2],
  ]);
  expect(await readWallets(pool.db, [])).toEqual([]);
});

test("an older fencing token is refused after a newer one has written", async () => {
  const { pool } = database;
  const fences = [
    { kind: "event", id: (await buildDraft(pool)).id },
    { kind: "session", id: await buildSession(pool) },
    { kind: "wallet", id: await buildPlayer(pool) },
  ] as const;
  for (const fence of fences) {
    const check = (token: number) => () =>
      inTransaction(pool.db, (tx) => checkFence(tx, { ...fence, token }));
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_123)();
    await check(1_795_257_669_070_124)();
    expect(await refusalCodeOf(pool, check(1_795_257_669_070_123))).toBe("stale_lock");
  }
});
