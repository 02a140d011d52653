import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { checkFence, drawLockTokens, gateEvent } from "#db/ledger/locks.ts";
import { lockCounts, withLock } from "#src/base/lock.ts";
import { paySettlement, sweepSettlements } from "#src/play/settlements/pay-settlement.ts";
import { holdTransaction, inLongTransaction } from "#tests/support/in-long-transaction.ts";
import { payNow } from "#tests/support/pay.ts";
import { redisAway } from "#tests/support/redis.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildLargeEvent, expectBooksToAgree, type LargeEvent, readWalletsOf } from "./large-settlement.ts";

const { deps, db, by, build, read, payInParts } = await testWorld({}, { poolSize: 10 });
const away = await redisAway();
const admin = await build.admin();
const unpaid = { posted: [10_000, 10_000, 10_000, 10_000], held: [100, 100, 100, 300] };
const won = { posted: [10_100, 10_100, 10_100, 9_700], held: [0, 0, 0, 0] };

async function buildDecided(): Promise<LargeEvent> {
  const large = await buildLargeEvent(deps);
  await by(admin).resolve(large.eventId);
  return large;
}

async function expectPaidOnce(large: LargeEvent): Promise<void> {
  expect(await listUnpaidSettlements(db)).toEqual([]);
  expect(await readWalletsOf(deps, large)).toEqual(won);
  await expectBooksToAgree(deps);
}

test("a payer holds the event's Redis lock, and its part stores the lock's fencing token", async () => {
  const large = await buildDecided();
  const lock = `lock:{event:${large.eventId}}`;
  await inLongTransaction(db, async (tx) => {
    await tx.execute(sql`SELECT event_gate(${large.eventId})`);
    const paying = paySettlement(deps, large.eventId);
    await waitFor("the lock", async () => (await deps.redis.exists(lock)) === 1);
    void paying;
  });
  await waitFor("the lock to be free", async () => (await deps.redis.exists(lock)) === 0);
  expect((await read.event(large.eventId)).fence).toBeGreaterThan(0);
  await expectPaidOnce(large);
});

test("a payer whose lock was taken over by a newer one writes nothing", async () => {
  const large = await buildDecided();
  const { eventId: id } = large;
  const { stale } = lockCounts(deps.redis);
  const { promise: held, resolve: nowHeld } = Promise.withResolvers<undefined>();
  // Until the payer and the next one wait, so that the next one is there before the payer's second try.
  const overtaken = takeOver(id, { waiting: 2, held: () => nowHeld(undefined) });
  await held;
  const paying = refusalOf(paySettlement(deps, id));
  await untilBlocked(db);
  const overtakenAgain = takeOver(id, { waiting: 1 });
  await Promise.all([overtaken, overtakenAgain]);
  expect((await paying).status).toBe(409);
  expect(lockCounts(deps.redis).stale).toBe(stale + 2);
  expect(await readWalletsOf(deps, large)).toEqual(unpaid);
  // Without a token nothing is compared.
  await payNow({ ...deps, redis: away });
  await expectPaidOnce(large);
});

type TakeOver = { waiting: number; held?: () => void };

/** Holds the event's gate until so many wait for it, and writes with a newer token, as the next holder of an expired lock does. */
async function takeOver(id: number, { waiting, held = () => undefined }: TakeOver): Promise<void> {
  await inLongTransaction(db, async (tx) => {
    await gateEvent(tx, id);
    held();
    await untilBlocked(db, waiting);
    const lock = { kind: "event", id } as const;
    const [token = 0] = await drawLockTokens(tx, [lock]);
    await checkFence(tx, { ...lock, token });
  });
}

test("a dead holder of the event's lock does not delay the payment until the lock expires", async () => {
  const large = await buildDecided();
  await deps.redis.set(`lock:{event:${large.eventId}}`, "a dead process", "PX", 15_000);
  await sweepSettlements(deps);
  await expectPaidOnce(large);
});

test("a payer of many parts gives the lock to a request that waits for it", async () => {
  const large = await buildDecided();
  const { eventId } = large;
  await payInParts({ partMax: 1 });
  // The second part waits for a wallet, so that the request waits for the lock.
  const blocking = await holdTransaction(db, (tx) =>
    tx.execute(sql`SELECT 1 FROM accounts WHERE user_id = ${large.players[2].id} FOR NO KEY UPDATE`),
  );
  const paidCount = async () => (await listUnpaidSettlements(db, [eventId]))[0]?.paidCallsCount;
  const paying = paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY });
  await waitFor("the first part", async () => (await paidCount()) === 1);
  const requesting = withLock(deps, `event:${eventId}`, paidCount);
  await waitFor("the request to wait", async () => {
    return (await deps.redis.exists(`lock:{event:${eventId}}:awaited`)) === 1;
  });
  await blocking.commit();
  // On a busy machine the request may look only after the third part.
  expect(await requesting).toBeLessThan(large.players.length);
  expect(await paying).toBe("paid");
  await payInParts();
  await expectPaidOnce(large);
});
