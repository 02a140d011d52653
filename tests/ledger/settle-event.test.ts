import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { grantPlayMoney } from "#db/ledger/grant-play-money.ts";
import { payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { queryRow } from "#db/ledger/query.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { closeCalls } from "#tests/support/close-calls.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDatabase } from "#tests/support/database.ts";
import { balances, expectBooksToAgree, refusalCodeOf } from "./books.ts";
import {
  buildDraft,
  buildOpenEvent,
  buildPlayer,
  closeAndResolve,
  closeEvent,
  openEvent,
  buildCall,
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
