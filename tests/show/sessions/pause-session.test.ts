import { beforeEach, expect, test } from "bun:test";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { runClock } from "#tests/support/database.ts";
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
