import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { startWorker } from "#jobs/workers.ts";
import { isAwaited } from "#src/base/redis-locks.ts";
import { connectRedis } from "#src/base/redis.ts";
import { type EventRow, withEvent } from "#src/show/events/with-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, build, read } = await testWorld();
const connection = connectRedis(deps.env.redisUrl, "worker");
const worker = startWorker("setAlarm", deps, connection);
const stopWorker = async () => {
  await worker.close();
  connection.disconnect();
};
afterFile(() => stopWorker());

const untilState = (eventId: number, state: EventRow["state"]) =>
  waitFor(`event ${eventId} to be ${state}`, async () => {
    const event = await read.event(eventId);
    return event.state === state && event;
  });

test("an alarm of an older schedule version does nothing", async () => {
  const event = await buildDueEvent(deps, -10);
  expect(await performTransition(deps, { ...alarmOf(event), version: event.scheduleVersion - 1 })).toBe(0);
  expect(await performTransition(deps, { ...alarmOf(event), transition: "resolve" })).toBe(0);
  expect(await performTransition(deps, { ...alarmOf(event), eventId: 999_999_999 })).toBe(0);
  expect(await read.event(event.id)).toEqual(event);
});

test("an alarm is not late by the time that its change takes after it has read the clock", async () => {
  const { id: eventId } = await build.event("open");
  const dueMs = Date.now() + 60_000;
  const changed = await withEvent(deps, { eventId, actor: null }, async (tx, { event }) => {
    await tx.execute(sql`SELECT pg_sleep(1)`);
    return { ...event, dueAt: new Date(dueMs), scheduleVersion: 9 };
  });
  const alarm = await waitFor("the alarm to be set", async () => {
    const delayed = await deps.queues.byName.transitions.getDelayed();
    return delayed.find(({ data }) => Bun.deepEquals(data, alarmOf(changed))) ?? false;
  });
  expect(alarm.timestamp + alarm.delay - dueMs).toBeLessThan(1_000);
});

test("an alarm whose event somebody else holds waits for them", async () => {
  const event = await buildDueEvent(deps, -10);
  const lock = `lock:{event:${event.id}}`;
  await deps.redis.set(lock, "somebody else", "PX", 60_000);
  const performed = performTransition(deps, alarmOf(event));
  await waitFor("the alarm to wait", () => isAwaited(deps.redis, `event:${event.id}`));
  expect(await read.event(event.id)).toEqual(event);
  await deps.redis.del(lock);
  expect(await performed).toBe(0);
  expect(await read.event(event.id)).toMatchObject({ state: "closed", version: event.version + 1 });
});

test("an early alarm is set again, and arrives in time", async () => {
  const event = await buildDueEvent(deps, 1_500);
  await deps.queues.setAlarm(alarmOf(event), 0);
  await waitFor("the alarm to sleep again", async () => {
    const delayed = await deps.queues.byName.transitions.getDelayed();
    return delayed.some(
      ({ data, attemptsStarted }) => Bun.deepEquals(data, alarmOf(event)) && attemptsStarted > 0,
    );
  });
  expect(await read.event(event.id)).toEqual(event);
  const closed = await untilState(event.id, "closed");
  expect(closed.closedAt?.getTime()).toBeGreaterThanOrEqual(event.closesAt?.getTime() ?? Number.NaN);
});

test("a random result is the same in every process, and differs between events", async () => {
  const made = await Promise.all(
    Array.from({ length: 12 }, () =>
      build.event("closed", { autoResult: "random", resolveWithinSeconds: 0 }),
    ),
  );
  const results = await Promise.all(made.map(async ({ id }) => (await untilState(id, "resolved")).result));
  expect(new Set(results)).toEqual(new Set(["true", "false"]));
});
