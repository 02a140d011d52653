import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { lockCounts } from "#src/base/lock-counts.ts";
import { withLock } from "#src/base/lock.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { sweepSettlements } from "#src/play/settlements/sweep-settlements.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { buildAdmin, readEvent } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { payInParts, usualParts } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { redisAway } from "#tests/support/redis.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildLargeEvent, expectBooksToAgree, type LargeEvent, readWalletsOf } from "./large-settlement.ts";

const deps = await testDeps();
const away = await redisAway();
const admin = await buildAdmin(deps);
const won = { posted: [10_100, 10_100, 10_100, 9_700], held: [0, 0, 0, 0] };

async function buildDecided(): Promise<LargeEvent> {
  const large = await buildLargeEvent(deps);
  await resolveEvent(deps, { eventId: large.eventId, actor: admin, result: "true" });
  return large;
}

async function expectPaidOnce(large: LargeEvent): Promise<void> {
  expect(await listUnpaidSettlements(deps.pool.db)).toEqual([]);
  expect(await readWalletsOf(deps, large)).toEqual(won);
  await expectBooksToAgree(deps);
}

test("a payer holds the event's Redis lock, and its part stores the lock's fencing token", async () => {
  const large = await buildDecided();
  const lock = `lock:{event:${large.eventId}}`;
  await inTransaction(deps.pool.db, async (tx) => {
    await tx.execute(sql`SELECT event_gate(${large.eventId})`);
    const paying = paySettlement(deps, large.eventId);
    await waitFor("the lock", async () => (await deps.redis.exists(lock)) === 1);
    void paying;
  });
  await waitFor("the lock to be free", async () => (await deps.redis.exists(lock)) === 0);
  const token = Number(await deps.redis.get(`${lock}:fence`));
  expect(await readEvent(deps, large.eventId)).toMatchObject({ fence: token });
  await expectPaidOnce(large);
});

test("a payer whose lock was taken over by a newer one writes nothing", async () => {
  const large = await buildDecided();
  const { eventId: id } = large;
  const newer = (Date.now() + 3_600_000) * 1_000;
  await inTransaction(deps.pool.db, (tx) => checkFence(tx, { kind: "event", id, token: newer }));
  const before = await digestTables(deps.pool.db);
  const { stale } = lockCounts(deps.redis);
  expect((await refusalOf(paySettlement(deps, id))).status).toBe(409);
  expect(lockCounts(deps.redis).stale).toBe(stale + 2);
  expect(await digestTables(deps.pool.db)).toEqual(before);
  // Without a token nothing is compared.
  await payNow({ ...deps, redis: away });
  await expectPaidOnce(large);
});

test("many payers at once pay once, with Redis and without it", async () => {
  for (const redis of [deps.redis, away]) {
    const large = await buildDecided();
    const payers = Array.from({ length: 8 }, () => paySettlement({ ...deps, redis }, large.eventId));
    expect(new Set(await Promise.all(payers))).toContain("paid");
    await expectPaidOnce(large);
  }
});

test("while Redis is away the sweep pays under the database's lock", async () => {
  const large = await buildDecided();
  const { away: before } = lockCounts(away);
  await sweepSettlements({ ...deps, redis: away });
  expect(lockCounts(away).away).toBeGreaterThan(before);
  await expectPaidOnce(large);
});

test("a dead holder of the event's lock does not delay the payment until the lock expires", async () => {
  const large = await buildDecided();
  await deps.redis.set(`lock:{event:${large.eventId}}`, "a dead process", "PX", 15_000);
  await sweepSettlements(deps);
  await expectPaidOnce(large);
});

test("a payer of many parts gives the lock to a request that waits for it", async () => {
  const large = await buildDecided();
  const { eventId } = large;
  await payInParts(deps.pool, { ...usualParts, partMax: 1 });
  const { promise: held, resolve: free } = Promise.withResolvers<undefined>();
  // The second part waits for a wallet, so that the request waits for the lock.
  const blocking = inTransaction(deps.pool.db, async (tx) => {
    await tx.execute(sql`SELECT 1 FROM accounts WHERE user_id = ${large.players[2].id} FOR NO KEY UPDATE`);
    await held;
  });
  const paidCount = async () => (await listUnpaidSettlements(deps.pool.db, [eventId]))[0]?.paidCallsCount;
  const paying = paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY });
  await waitFor("the first part", async () => (await paidCount()) === 1);
  const requesting = withLock(deps, `event:${eventId}`, paidCount);
  await waitFor("the request to wait", async () => {
    return (await deps.redis.exists(`lock:{event:${eventId}}:awaited`)) === 1;
  });
  free(undefined);
  await blocking;
  // The third part comes after the request.
  expect(await requesting).toBe(2);
  expect(await paying).toBe("paid");
  await payInParts(deps.pool, usualParts);
  await expectPaidOnce(large);
});
