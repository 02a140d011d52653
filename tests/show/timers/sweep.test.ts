import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/locks.ts";
import { anyOf } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { startWorker } from "#jobs/workers.ts";
import type { Alarm } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { rearmAlarms, startSweep } from "#src/show/timers/sweep.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { buildRunningSession, readEvent } from "#tests/support/build.ts";
import { type TestDeps, testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildDue, countTraces, stateAfter, transitions } from "./due-together.ts";

/** For so long the lock of a process lives that has died. */
const LOCKED_MS = 120_000;

const deps = await testDeps({}, { poolSize: 4 });
const sweeps: { stop: () => Promise<void> }[] = [];
afterTest(async () => {
  await Promise.all(sweeps.splice(0).map((sweep) => sweep.stop()));
});

const startSweeps = (count: number, by: TestDeps = deps) => {
  for (let started = 0; started < count; started += 1) sweeps.push(startSweep(by));
};
const startJobs = (by: TestDeps) => {
  const connection = connectRedis(by.env.redisUrl, "worker");
  const worker = startWorker("setAlarm", by, connection);
  return {
    stop: async () => {
      await worker.close();
      connection.disconnect();
    },
  };
};
const untilClosed = (eventId: number, by: TestDeps = deps) =>
  waitFor("the close", async () => (await readEvent(by, eventId)).state === "closed");

test("lost alarms are set again, once each", async () => {
  const event = await buildDueEvent(deps, 60_000);
  await waitFor("the alarm", async () => (await deps.queues.byName.transitions.getDelayedCount()) > 0);
  await deps.redis.flushall();
  await rearmAlarms(deps);
  await rearmAlarms(deps);
  await waitFor("the alarm", async () => (await deps.queues.byName.transitions.getDelayedCount()) === 1);
  const [job] = await deps.queues.byName.transitions.getDelayed();
  expect(job?.data).toEqual({ eventId: event.id, transition: "close_event", version: event.scheduleVersion });
});

test("an event closes while Redis hangs, and while it is dead", async () => {
  const alone = await testDeps({}, { poolSize: 4 });
  const first = await buildDueEvent(alone, 300);
  const pid = Number(/process_id:(\d+)/.exec(await alone.redis.info("server"))?.[1]);
  process.kill(pid, "SIGSTOP");
  startSweeps(1, alone);
  await untilClosed(first.id, alone).finally(() => process.kill(pid, "SIGCONT"));
  const second = await buildDueEvent(alone, 300);
  await alone.redis.call("SHUTDOWN", "NOSAVE").catch(() => undefined);
  await untilClosed(second.id, alone);
});

test("an event closes even if a process died while holding its lock", async () => {
  const event = await buildDueEvent(deps, 300);
  await deps.redis.set(`lock:{event:${event.id}}`, "a dead process", "PX", LOCKED_MS);
  startSweeps(2);
  await untilClosed(event.id);
  const closed = await readEvent(deps, event.id);
  expect((closed.closedAt?.getTime() ?? 0) - (closed.closesAt?.getTime() ?? 0)).toBeLessThan(LOCKED_MS / 2);
  expect(closed.version).toBe(event.version + 1);
});

test("an event that another transaction holds delays the close of no other", async () => {
  const held = await buildDueEvent(deps, -1_500);
  // lock_free_events waits for 30 ms.
  const waitingSince = async () => {
    const [row] = await deps.pool.db.execute(
      sql`SELECT waitstart::text AS since FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND waitstart < clock_timestamp() - interval '300 ms'`,
    );
    return row === undefined ? null : String(row["since"]);
  };
  await inTransaction(deps.pool.db, async (tx) => {
    await tx.execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
    await gateEvent(tx, held.id);
    startSweeps(1);
    const since = await waitFor("the sweep to wait for the held event", waitingSince);
    const other = await buildDueEvent(deps, -1_500);
    await untilClosed(other.id);
    expect(await waitingSince()).toBe(since);
  });
  await untilClosed(held.id);
});

test("jobs and sweeps of two processes perform each transition once", async () => {
  const other: TestDeps = { ...deps };
  const { id: sessionId } = await buildRunningSession(deps);
  const due: { event: EventRow; alarm: Alarm }[] = [];
  for (const transition of transitions) {
    for (let built = 0; built < 6; built += 1) {
      // What follows is due long after the test.
      const event = await buildDue(deps, transition, 4_000, { sessionId, durationSeconds: 600 });
      due.push({ event, alarm: alarmOf(event) });
    }
  }
  const ids = due.map(({ event }) => event.id);
  const dueAt = sql`now() + interval '2 seconds'`;
  await deps.pool.db.update(events).set({ dueAt }).where(anyOf(events.id, ids));
  const both = [deps, other];
  sweeps.push(...both.flatMap((by) => [startJobs(by), startSweep(by)]));
  await Promise.all(due.flatMap(({ alarm }) => both.map((by) => by.queues.setAlarm(alarm, 2_000))));
  for (const { event, alarm } of due) {
    const moved = await waitFor(`event ${event.id} to be ${stateAfter[alarm.transition]}`, async () => {
      const row = await readEvent(deps, event.id);
      return row.state === stateAfter[alarm.transition] && row;
    });
    expect(moved.version).toBe(event.version + 1);
    expect(moved.scheduleVersion).toBe(event.scheduleVersion + 1);
    // Once more.
    expect(await performTransition(other, alarm)).toBe(0);
    // Who comes too late has a newer lock, and does nothing.
    expect(await readEvent(deps, event.id)).toEqual({ ...moved, fence: expect.any(Number) });
    const settled = alarm.transition === "resolve" ? 1 : 0;
    expect(await countTraces(deps, event.id, alarm.transition)).toEqual({
      facts: 1,
      lines: 1,
      settled,
      logged: 1,
    });
  }
  await payNow(deps);
});
