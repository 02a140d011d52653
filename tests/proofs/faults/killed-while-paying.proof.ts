import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";
import { startWorkerProcess } from "#tests/faults/worker-process.ts";
import { inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const KILLS = 8;
/** Of a worker before it is killed. */
const PAID_BY_EACH = 3;
const PLAYERS = (KILLS + 1) * PAID_BY_EACH;
/** An advisory lock: the payment that reaches the mark waits for it. */
const HELD = 1;

const { deps, db, build, payInParts, timer, read } = await testWorld();
await payInParts({ atOnceMax: 1, partMax: 1 });

const paidCount = async (eventId: number): Promise<number> => {
  const [unpaid] = await listUnpaidSettlements(db, [eventId]);
  return unpaid?.paidCallsCount ?? PLAYERS;
};

async function expectBooksToAgree(): Promise<void> {
  expect(await read.differences()).toEqual([]);
  const { results, scores } = await compareScores(db);
  expect({ results, scores }).toEqual({ results: 0, scores: 0 });
}

/** Holds the payment that would be the next one after `paid`, so that a kill hits a running one. */
async function holdPaymentAfter(paid: number): Promise<void> {
  await db.execute(sql`CREATE OR REPLACE FUNCTION hold_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${sql.raw(String(HELD))}); RETURN NULL; END $$`);
  await db.execute(
    sql`CREATE OR REPLACE TRIGGER hold_payment AFTER UPDATE ON settlements FOR EACH ROW
      WHEN (NEW.paid_calls_count = ${sql.raw(String(paid + 1))}) EXECUTE FUNCTION hold_payment()`,
  );
}

/** True while a payment is held. */
async function isHeld(): Promise<boolean> {
  const waiting = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${HELD} AND NOT granted`;
  return (await db.execute(waiting)).length > 0;
}

test(`a settlement whose worker is killed (${KILLS}x) continues after the last whole part and pays once`, async () => {
  const { id: eventId } = await build.event("open");
  const userIds: number[] = [];
  for (let n = 0; n < PLAYERS; n += 1) {
    const { id: userId } = await build.player();
    userIds.push(userId);
    await build.call({ userId, eventId, side: n % 3 === 0 ? "false" : "true", wagerCents: 50 + n });
  }
  await timer.resolve(eventId, "void");
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await holdPaymentAfter(kill * PAID_BY_EACH);
    await inLongTransaction(db, async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${HELD})`);
      const worker = await startWorkerProcess(deps);
      await waitFor("a payment to be held", isHeld);
      await worker.kill();
    });
    expect(await paidCount(eventId)).toBe(kill * PAID_BY_EACH);
    await expectBooksToAgree();
  }
  const worker = await startWorkerProcess(deps);
  await waitFor("all to be paid", async () => (await paidCount(eventId)) === PLAYERS, {
    withinMs: PROCESS_STARTS_WITHIN_MS,
  });
  await worker.stop();
  await expectBooksToAgree();
  for (const wallet of await readWallets(db, userIds)) {
    expect(wallet).toMatchObject({ postedCents: 10_000, heldCents: 0, owedCents: 0 });
  }
  expect(await db.$count(calls, eq(calls.outcome, "refunded"))).toBe(PLAYERS);
  // One notification each: the interrupted parts have left none.
  expect(await db.$count(notifications, eq(notifications.kind, "refund"))).toBe(PLAYERS);
});
