import { expect, test } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import type { EventResult } from "#db/lists/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import { outbox } from "#db/schema/outbox.ts";
import { withLock } from "#src/base/lock.ts";
import { sweepSettlements } from "#src/play/settlements/pay-settlement.ts";
import { payTogether } from "#src/play/settlements/pay-together.ts";
import { redisAway } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { expectBooksToAgree } from "./large-settlement.ts";

const { deps, db, by, build, payInParts } = await testWorld({}, { poolSize: 4 });
const away = await redisAway();
const admin = await build.admin();
const players = [await build.player(), await build.player(), await build.player()];

/** Decided events, with 1.00 of the first two players on True and 1.00 of the third on False. */
async function buildDecided(...decisions: EventResult[]): Promise<number[]> {
  const { id: sessionId } = await build.runningSession();
  const ids: number[] = [];
  for (const result of decisions) {
    const { id: eventId } = await build.event("open", { sessionId });
    for (const [index, { id: userId }] of players.entries())
      await build.call({ userId, eventId, side: index < 2 ? "true" : "false" });
    await by(admin).resolve(eventId, result);
    ids.push(eventId);
  }
  return ids;
}

const payAll = (eventIds: readonly number[], process = deps) =>
  Promise.all(eventIds.map((id) => payTogether(process, id)));

/** In how many transactions these events were paid. */
async function countTransactions(eventIds: readonly number[]): Promise<number> {
  const rows = await db.execute(
    sql`SELECT count(DISTINCT xmin::text)::int AS n FROM settlements WHERE event_id = ANY (${sql.param(eventIds)}::bigint[])`,
  );
  return v.parse(v.tuple([v.object({ n: v.number() })]), [...rows])[0].n;
}

async function expectPaidOnce(eventIds: readonly number[]): Promise<void> {
  expect(await listUnpaidSettlements(db)).toEqual([]);
  await expectBooksToAgree(deps);
  const facts = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(eq(outbox.kind, "event_changed"));
  const changed = v.parse(
    v.array(v.object({ payload: v.object({ eventId: v.number(), change: v.string() }) })),
    facts,
  );
  const paid = changed.flatMap(({ payload }) => (payload.change === "pay" ? [payload.eventId] : []));
  for (const id of eventIds) expect(paid.filter((each) => each === id)).toEqual([id]);
}

test("small results of one moment are paid in one transaction, with scores, facts and notifications", async () => {
  const ids = await buildDecided("true", "false", "void", "true");
  expect(await payAll(ids)).toEqual(["paid", "paid", "paid", "paid"]);
  expect(await countTransactions(ids)).toBe(1);
  await expectPaidOnce(ids);
  const refunds = await db
    .select({ userId: notifications.userId, kind: notifications.kind })
    .from(notifications)
    .where(eq(notifications.kind, "refund"))
    .orderBy(asc(notifications.userId));
  expect(refunds.map(({ userId }) => userId)).toEqual(players.map(({ id }) => id));
});

test("jobs, the sweep and other processes at once pay once, with Redis and without it", async () => {
  for (const redis of [deps.redis, away]) {
    const ids = await buildDecided("true", "false", "true");
    const [one, another] = [
      { ...deps, redis },
      { ...deps, redis },
    ];
    await Promise.all([payAll(ids, one), payAll(ids, another), sweepSettlements(another)]);
    await payAll(ids, one);
    await expectPaidOnce(ids);
  }
});

test("a large settlement, a correction and an event that is being changed are paid alone; the others do not wait", async () => {
  await payInParts({ partMax: 4 });
  const [corrected = 0, held = 0, ...free] = await buildDecided("true", "true", "true", "false");
  await payAll([corrected]);
  await by(admin).resolve(corrected, "false", { reason: "Look again" });
  let freed = Promise.resolve<unknown>(null);
  await withLock(deps, `event:${held}`, () =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`SELECT event_gate(${held})`);
      freed = payAll([corrected, held]);
      expect(await payAll(free)).toEqual(["paid", "paid"]);
    }),
  );
  await freed;
  // Six calls are more than one part.
  expect(await countTransactions(free)).toBe(2);
  await payInParts({ partMax: 2 });
  const [large = 0] = await buildDecided("true");
  // As many parts at a time as a worker has time for.
  await waitFor("all parts to be paid", async () => (await payTogether(deps, large)) === "paid");
  await payInParts();
  await expectPaidOnce([held, ...free, large]);
});
