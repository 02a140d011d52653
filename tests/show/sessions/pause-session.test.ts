import { beforeEach, expect, test } from "bun:test";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { startWorker } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { runClock } from "#tests/support/database.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, by, build, read } = await testWorld();
const admin = await build.admin();

beforeEach(() => runClock(deps.pool));

const pause = (sessionId: number) => by(admin).pause(sessionId);
const resume = (sessionId: number) => by(admin).resume(sessionId);
const after = (moment: Date | null, since: Date | null) => (moment?.getTime() ?? 0) - (since?.getTime() ?? 0);

/** A running session with an open event that closes in this many seconds. */
async function buildShow(closesInSeconds: number) {
  const session = await build.runningSession();
  const event = await build.event("open", {
    sessionId: session.id,
    durationSeconds: closesInSeconds,
    autoResult: "true",
    resolveWithinSeconds: 4,
  });
  return { sessionId: session.id, event };
}

test("the planned opening of a hidden event moves too, and the event opens then once it is shown", async () => {
  const { sessionId } = await buildShow(30);
  const { id: eventId } = await build.draft({ sessionId });
  await deps.pool.sql`UPDATE events SET opens_at = game_now() + interval '40 s' WHERE id = ${eventId}`;
  await by(admin).publish(eventId);
  const { opensAt } = await by(admin).hide(eventId);
  const { pausedAt } = await pause(sessionId);
  await runClock(deps.pool, { aheadMs: 600_000 });
  const { updatedAt: resumedAt } = await resume(sessionId);
  const shown = await by(admin).unhide(eventId);
  expect(shown.nextTransition).toBe("open_event");
  expect(Math.abs(after(shown.dueAt, resumedAt) - after(opensAt, pausedAt))).toBeLessThanOrEqual(2);
});

test("while paused nothing is due; after the resume every moment has moved by the length of the pause", async () => {
  const { sessionId, event } = await buildShow(30);
  const draft = await build.draft({ sessionId });
  await deps.pool
    .sql`UPDATE events SET opens_at = game_now() + interval '40 s', closes_at = game_now() + interval '70 s',
    next_transition = 'publish_event', due_at = game_now() + interval '30 s' WHERE id = ${draft.id}`;
  const planned = await read.event(draft.id);
  const { pausedAt } = await pause(sessionId);
  const held = await read.event(event.id);
  expect(held).toMatchObject({ dueAt: null, nextTransition: "close_event", closesAt: event.closesAt });
  // The moments have microseconds, which a Date drops.
  expect(Math.abs((held.remainingMs ?? 0) - after(event.closesAt, pausedAt))).toBeLessThanOrEqual(2);
  expect(held.scheduleVersion).toBe(event.scheduleVersion + 1);

  await runClock(deps.pool, { aheadMs: 600_000 });
  const { updatedAt: resumedAt } = await resume(sessionId);
  const moved = await read.event(event.id);
  const shiftMs = after(moved.closesAt, event.closesAt);
  expect(shiftMs).toBeGreaterThan(600_000);
  expect(Math.abs(shiftMs - after(resumedAt, pausedAt))).toBeLessThanOrEqual(2);
  expect(moved).toMatchObject({ remainingMs: null, dueAt: moved.closesAt, openedAt: event.openedAt });
  expect(after(moved.resolveBy, event.resolveBy)).toBe(shiftMs);
  expect(moved.version).toBeGreaterThan(event.version);
  const replanned = await read.event(draft.id);
  for (const field of ["opensAt", "closesAt"] as const) {
    expect(Math.abs(after(replanned[field], planned[field]) - shiftMs)).toBeLessThanOrEqual(1);
  }
  expect(Math.abs(after(replanned.dueAt, planned.dueAt) - shiftMs)).toBeLessThanOrEqual(2);
});

test("calls are refused while paused, hold no money, and are accepted again until the new close", async () => {
  const { sessionId, event } = await buildShow(30);
  const player = await build.player();
  const spot = (await read.spots(event.id)).true;
  const place = async (idempotencyKey: string) => {
    const call = { userId: player.id, spotId: spot.id, wagerCents: 100, idempotencyKey };
    return (await placeCalls(deps.pool, [call]))[0]?.code;
  };
  await pause(sessionId);
  expect(await place("while-paused")).toBe("paused");
  expect(await read.wallet(player.id)).toMatchObject({ heldCents: 0, postedCents: 10_000 });
  await runClock(deps.pool, { aheadMs: 60_000 });
  expect(await place("after-the-old-close")).toBe("paused");
  await resume(sessionId);
  expect(await place("resumed")).toBe("placed");
  await runClock(deps.pool, { aheadMs: 95_000 });
  expect(await place("after-the-new-close")).toBe("late");
});

test("a transition that was late before the pause is late after it", async () => {
  const { sessionId, event } = await buildShow(5);
  await runClock(deps.pool, { aheadMs: 6_000 });
  await pause(sessionId);
  await runClock(deps.pool, { aheadMs: 66_000 });
  await resume(sessionId);
  const player = await build.player();
  const { id: spotId } = (await read.spots(event.id)).true;
  const [answer] = await placeCalls(deps.pool, [
    { userId: player.id, spotId, wagerCents: 100, idempotencyKey: "late" },
  ]);
  expect(answer?.code).toBe("late");
});

test("an event paused 3 s before its close closes 3 s after the resume; the old alarm does nothing", async () => {
  const { sessionId, event } = await buildShow(30);
  await deps.pool
    .sql`UPDATE events SET closes_at = game_now() + interval '3 s', due_at = game_now() + interval '3 s',
    schedule_version = schedule_version + 1 WHERE id = ${event.id}`;
  const alarm = { eventId: event.id, transition: "close_event", version: event.scheduleVersion + 1 } as const;
  await pause(sessionId);
  await deps.queues.setAlarm(alarm, 3_000);
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("setAlarm", deps, connection);
  const sweep = startSweep(deps);
  try {
    await waitFor("the old alarm", async () => {
      const done = await deps.queues.byName.transitions.getCompleted();
      return done.some(({ data }) => Bun.deepEquals(data, alarm));
    });
    expect(await read.event(event.id)).toMatchObject({ state: "open", closedAt: null });
    const { remainingMs } = await read.event(event.id);
    const { updatedAt: resumedAt } = await resume(sessionId);
    const closed = await waitFor("the close", async () => {
      const row = await read.event(event.id);
      return row.state !== "open" && row;
    });
    expect(remainingMs).toBeWithin(1, 3_001);
    expect(Math.abs(after(closed.closesAt, resumedAt) - (remainingMs ?? 0))).toBeLessThanOrEqual(2);
    expect(after(closed.closedAt, closed.closesAt)).toBeGreaterThanOrEqual(0);
  } finally {
    await Promise.all([worker.close(), sweep.stop()]);
    connection.disconnect();
  }
}, 180_000);

test("a planned result waits for the end of the pause", async () => {
  const { sessionId, event } = await buildShow(30);
  await pause(sessionId);
  const closed = await by(admin).close(event.id);
  expect(closed).toMatchObject({ state: "closed", nextTransition: "resolve", dueAt: null });
  expect(closed.remainingMs).toBeGreaterThan(3_900);
  expect(closed.remainingMs).toBeLessThanOrEqual(4_001);
  await runClock(deps.pool, { aheadMs: 60_000 });
  const { updatedAt: resumedAt } = await resume(sessionId);
  const due = (await read.event(event.id)).dueAt;
  expect(Math.abs(after(due, resumedAt) - 4_000)).toBeLessThan(100);
});

test("a planned result still happens after the session was stopped while paused", async () => {
  const { sessionId, event } = await buildShow(30);
  await by(admin).close(event.id);
  await pause(sessionId);
  await by(admin).stop(sessionId);
  const closed = await read.event(event.id);
  expect(closed).toMatchObject({ state: "closed", nextTransition: "resolve", remainingMs: null });
  expect(closed.dueAt).not.toBeNull();
});

test("an open event closes when a paused session stops, and its planned result keeps its delay", async () => {
  const { sessionId, event } = await buildShow(30);
  await pause(sessionId);
  await runClock(deps.pool, { aheadMs: 600_000 });
  await by(admin).stop(sessionId);
  const closed = await read.event(event.id);
  expect(closed).toMatchObject({ state: "closed", nextTransition: "resolve" });
  expect(Math.abs(after(closed.dueAt, closed.closedAt) - 4_000)).toBeLessThanOrEqual(2);
});

test("an event published while paused opens by itself after the resume", async () => {
  const { sessionId } = await buildShow(30);
  const draft = await build.draft({ sessionId });
  await deps.pool
    .sql`UPDATE events SET opens_at = game_now() + interval '40 s', closes_at = game_now() + interval '70 s'
    WHERE id = ${draft.id}`;
  await pause(sessionId);
  const visible = await by(admin).publish(draft.id);
  expect(visible).toMatchObject({ state: "visible", nextTransition: "open_event", dueAt: null });
  await resume(sessionId);
  const resumed = await read.event(draft.id);
  expect(resumed.dueAt).not.toBeNull();
  expect(resumed.dueAt).toEqual(resumed.opensAt);
});

test("fifty concurrent pauses and resumes: one state, shifts add up, no early close", async () => {
  const { sessionId, event } = await buildShow(600);
  const player = await build.player();
  await build.call({ userId: player.id, eventId: event.id });
  // The moments that the commands report, so nothing is measured by a clock: a busy machine delays each, and shifts nothing.
  let pausedMs = 0;
  const doneOrRefused = async (action: Promise<SessionRow>): Promise<SessionRow | null> => {
    try {
      return await action;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  const pauseOnce = async () => {
    const paused = await doneOrRefused(pause(sessionId));
    if (paused !== null) pausedMs -= after(paused.pausedAt, null);
  };
  const resumeOnce = async () => {
    const resumed = await doneOrRefused(resume(sessionId));
    if (resumed !== null) pausedMs += after(resumed.updatedAt, null);
  };
  const toggle = async () => {
    for (let turn = 0; turn < 25; turn += 1) {
      await pauseOnce();
      await resumeOnce();
    }
  };
  await Promise.all([toggle(), toggle()]);
  const { state } = await read.session(sessionId);
  if (state === "paused") await resumeOnce();
  const rows: { action: string }[] = await deps.pool.sql`
    SELECT action FROM audit WHERE session_id = ${sessionId} AND action IN ('pause', 'resume') ORDER BY id`;
  expect(rows.length).toBeGreaterThan(10);
  for (const [index, { action }] of rows.entries()) expect(action).toBe(index % 2 === 0 ? "pause" : "resume");
  const left: EventRow = await read.event(event.id);
  expect(left).toMatchObject({ state: "open", nextTransition: "close_event", remainingMs: null });
  expect(left.dueAt).toEqual(left.closesAt);
  // Each moment has microseconds, which a Date drops.
  expect(Math.abs(after(left.closesAt, event.closesAt) - pausedMs)).toBeLessThanOrEqual(rows.length + 2);
});
