import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import { events } from "#db/schema/events.ts";
import type { Alarm } from "#jobs/queues.ts";
import { startWorker } from "#jobs/workers.ts";
import type { Deps } from "#src/base/deps.ts";
import { connectRedis } from "#src/base/redis.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { startNearAlarms } from "#src/show/timers/near-alarms.ts";
import { attemptTransition, performTransition } from "#src/show/timers/perform-transition.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { alarmOf, buildDueEvent, delayDue } from "#tests/jobs/due-events.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { buildEvent, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildDue, countTraces, stateAfter, transitions } from "./due-together.ts";

const deps = await testDeps();
const parts: { stop: () => Promise<void> }[] = [];
afterTest(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
});

const startAlarms = (by: Deps = deps) => parts.push(startNearAlarms(by));

function startJobs(by: Deps): void {
  const connection = connectRedis(by.env.redisUrl, "worker");
  const worker = startWorker("setAlarm", by, connection);
  parts.push({
    stop: async () => {
      await worker.close();
      connection.disconnect();
    },
  });
}

const untilState = (eventId: number, state: EventRow["state"], by: Deps = deps) =>
  waitFor(`event ${eventId} to be ${state}`, async () => {
    const event = await readEvent(by, eventId);
    return event.state === state && event;
  });

test("a process performs each transition at its time, without a job and without Redis", async () => {
  const alone = await testDeps();
  const due = [];
  for (const transition of transitions)
    due.push({ transition, event: await buildDue(alone, transition, 1_500) });
  await alone.redis.call("SHUTDOWN", "NOSAVE").catch(() => undefined);
  startAlarms(alone);
  for (const { transition, event } of due) {
    const moved = await untilState(event.id, stateAfter[transition], alone);
    expect(moved.updatedAt.getTime()).toBeGreaterThanOrEqual(event.dueAt?.getTime() ?? Number.NaN);
    expect(await countTraces(alone, event.id, transition)).toMatchObject({ facts: 1, lines: 1, logged: 1 });
  }
  await payNow(alone);
});

test("alarms, jobs and sweeps of two processes perform each transition once", async () => {
  const other: Deps = { ...deps };
  const due: { event: EventRow; alarm: Alarm }[] = [];
  const { id: sessionId } = await buildRunningSession(deps);
  for (const transition of transitions) {
    for (let built = 0; built < 6; built += 1) {
      // What follows is due long after the test.
      const event = await buildDue(deps, transition, 4_000, { sessionId, durationSeconds: 600 });
      due.push({ event, alarm: alarmOf(event) });
    }
  }
  // All at the same moment.
  await deps.pool.db
    .update(events)
    .set({ dueAt: sql`now() + interval '2 seconds'` })
    .where(
      anyOf(
        events.id,
        due.map(({ event }) => event.id),
      ),
    );
  for (const by of [deps, other]) {
    startAlarms(by);
    startJobs(by);
    parts.push(startSweep(by));
  }
  await Promise.all(
    due.flatMap(({ alarm }) => [deps.queues.setAlarm(alarm, 2_000), other.queues.setAlarm(alarm, 2_000)]),
  );
  for (const { event, alarm } of due) {
    const moved = await untilState(event.id, stateAfter[alarm.transition]);
    expect(moved.version).toBe(event.version + 1);
    expect(moved.scheduleVersion).toBe(event.scheduleVersion + 1);
    // Once more, by all of them.
    await attemptTransition(deps, alarm);
    expect(await performTransition(other, alarm)).toBe(0);
    expect(await readEvent(deps, event.id)).toEqual(moved);
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

test("a job waits for the attempt of its process, and finds it done", async () => {
  const event = await buildDueEvent(deps, 40);
  const attempt = attemptTransition(deps, alarmOf(event));
  expect(await performTransition(deps, alarmOf(event))).toBe(0);
  expect(await readEvent(deps, event.id)).toMatchObject({ state: "closed", version: event.version + 1 });
  await attempt;
});

test("an attempt leaves alone what somebody else holds, and its job performs it afterwards", async () => {
  const event = await buildDueEvent(deps, -10);
  const lock = `lock:{event:${event.id}}`;
  await deps.redis.set(lock, "somebody else", "PX", 60_000);
  await attemptTransition(deps, alarmOf(event));
  expect(await readEvent(deps, event.id)).toEqual(event);
  const performed = performTransition(deps, alarmOf(event));
  await deps.redis.del(lock);
  expect(await performed).toBe(0);
  expect(await readEvent(deps, event.id)).toMatchObject({ state: "closed", version: event.version + 1 });
});

test("a due time that has moved is met", async () => {
  const event = await buildDueEvent(deps, 2_400);
  startAlarms();
  await Bun.sleep(600);
  await delayDue(deps, event.id, 2_400);
  // Where a process gets no CPU for seconds, the job meets the time: here it is moved again.
  const closed = await waitFor("the moved time to be met", async () => {
    const now = await readEvent(deps, event.id);
    if (now.state === "closed") return now;
    if (Date.now() - (now.dueAt?.getTime() ?? 0) > 1_000) await delayDue(deps, event.id, 2_400);
    return null;
  });
  expect(closed.closedAt?.getTime()).toBeGreaterThanOrEqual(closed.closesAt?.getTime() ?? Number.NaN);
});

test("nothing is due while its session is paused", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 60 });
  const alarm = alarmOf(event);
  await pauseSession(deps, { sessionId: session.id, actor: null });
  const paused = await readEvent(deps, event.id);
  await attemptTransition(deps, alarm);
  await attemptTransition(deps, alarmOf(paused));
  expect(await performTransition(deps, alarmOf(paused))).toBe(0);
  expect(await readEvent(deps, event.id)).toEqual(paused);
});

test("stopping waits for the transitions that are being performed", async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => buildDueEvent(deps, 1_000)));
  const alarms = startNearAlarms(deps);
  const first = made[0]?.id ?? 0;
  await untilState(first, "closed");
  await alarms.stop();
  const states = await Promise.all(made.map(async ({ id }) => (await readEvent(deps, id)).state));
  await Bun.sleep(200);
  expect(await Promise.all(made.map(async ({ id }) => (await readEvent(deps, id)).state))).toEqual(states);
  expect(deps.pool.isSilent()).toBe(false);
});
