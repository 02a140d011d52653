import { expect, test } from "bun:test";
import { and, eq, sql } from "drizzle-orm";
import { type DatabasePool, inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { calls } from "#db/schema/calls.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { payTogether } from "#src/play/settlements/pay-together.ts";
import { sweepOnce } from "#src/show/timers/sweep.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";

// All ids are bigint. Postgres' advisory locks have one key of 64 bits or two of 32.
const INT_MAX = 2 ** 31 - 1;

const { deps, db, by, timer, build, read, runClock } = await testWorld();
afterTest(async () => expect(await read.differences()).toEqual([]));

/** Lets every table go on with this id. */
async function startIdsAt({ db }: DatabasePool, id: number): Promise<void> {
  await db.execute(sql`SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, ${id}::bigint)
    FROM pg_sequences WHERE schemaname = 'public'`);
}

const keysOf = async (id: number) => {
  const [row] = await db.execute(
    sql`SELECT lock_class(7701, ${id}::bigint) AS class, lock_key(${id}::bigint) AS key`,
  );
  return [Number(row?.["class"]), Number(row?.["key"])];
};

test("an id below 2^31 keeps the keys that it has always had, and each larger one has keys of its own", async () => {
  for (const id of [1, 4_711, INT_MAX]) expect(await keysOf(id)).toEqual([7_701, id]);
  const ids = [1, INT_MAX, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 33 + 1, 2 ** 46, 2 ** 47 - 1];
  const keys = await Promise.all(ids.map(async (id) => (await keysOf(id)).join()));
  expect(new Set(keys).size).toBe(ids.length);
});

test("a session is played with ids above 2^32", async () => {
  const first = 2 ** 32 + 2 ** 31;
  await startIdsAt(deps.pool, first);
  const admin = await build.admin();
  const session = await build.runningSession();
  const [one, other] = [await build.player(), await build.player()];
  const [decided, reset] = [
    await build.event("open", { sessionId: session.id, durationSeconds: 600 }),
    await build.event("open", { sessionId: session.id, durationSeconds: 600 }),
  ];
  expect(decided.id).toBeGreaterThan(first);
  await build.call({ userId: one.id, eventId: decided.id });
  await build.call({ userId: other.id, eventId: decided.id, side: "false" });
  const taken = await build.call({ userId: one.id, eventId: reset.id });
  await cancelCall(deps, { viewer: one, callId: taken });
  await build.call({ userId: one.id, eventId: reset.id });
  await by(admin).delay(decided.id, 30);
  await by(admin).reset(reset.id, "the wrong question");

  await runClock({ aheadMs: 700_000 });
  await sweepOnce(deps, (error) => {
    throw error;
  });
  expect(await read.event(decided.id)).toMatchObject({ state: "closed" });
  await by(admin).resolve(decided.id);
  expect(await payTogether(deps, decided.id)).toBe("paid");
  await by(admin).resolve(decided.id, "false", { reason: "a slip" });
  await timer.pay();
  const won = and(eq(calls.eventId, decided.id), eq(calls.outcome, "won"));
  expect(await db.select({ userId: calls.userId }).from(calls).where(won)).toEqual([{ userId: other.id }]);

  const relays = await Relays.open(deps);
  await relays.sendAndClear(relays.start());
  await relays.stop();
  relays.listener.stop();
});

test("events whose ids have the same lower 32 bits have gates of their own", async () => {
  await startIdsAt(deps.pool, 2 ** 33);
  const above = await build.event("open");
  await startIdsAt(deps.pool, 2 ** 34);
  const other = await build.event("open");
  expect(above.id % 2 ** 32).toBe(other.id % 2 ** 32);
  const userId = (await build.player()).id;
  await inTransaction(db, async (tx) => {
    await gateEvent(tx, above.id);
    await build.call({ userId, eventId: other.id });
    expect(await build.call({ userId, eventId: above.id }).then(String, String)).toContain("busy");
  });
});
