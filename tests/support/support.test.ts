import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { createTestDatabase, runClock, stopClockAt } from "./database.ts";
import { buildDeps, testDeps } from "./deps.ts";

const deps = await testDeps();

test("two test databases do not see each other's rows", async () => {
  const other = await createTestDatabase();
  await deps.pool.sql`CREATE TABLE only_here (id int)`;
  const [table] = await other.pool.db.execute(sql`SELECT to_regclass('only_here') AS name`);
  expect(table).toEqual({ name: null });
  await other.drop();
});

test("a stopped clock is stopped for every connection, and can run again", async () => {
  await stopClockAt(deps.pool, new Date("2026-01-02T03:04:05.000Z"));
  const stopped = await Promise.all(
    [1, 2, 3].map(() => deps.pool.db.execute(sql`SELECT game_now()::text AS now FROM pg_sleep(0.01)`)),
  );
  expect(stopped.flat()).toEqual(Array(3).fill({ now: "2026-01-02 03:04:05+00" }));
  await runClock(deps.pool, { aheadMs: 3_600_000 });
  const [row] = await deps.pool.db.execute(
    sql`SELECT round(extract(epoch FROM game_now() - clock_timestamp())) AS ahead_seconds`,
  );
  expect(row).toEqual({ ahead_seconds: "3600" });
});

test("an alarm that a test sets is only in the test's Redis", async () => {
  await deps.queues.setAlarm({ eventId: 1, transition: "open_event", version: 1 }, 60_000);
  expect(await deps.queues.byName.transitions.getDelayedCount()).toBe(1);
  const other = await buildDeps();
  expect(await other.queues.byName.transitions.getDelayedCount()).toBe(0);
  await other.close();
});
