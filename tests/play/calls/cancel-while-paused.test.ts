import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { cancelCall } from "#src/play/calls/cancel-call.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { runClock } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();

async function stateOf(callId: number) {
  const [call] = await deps.pool.db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId));
  return call?.state;
}

test("a call can be taken back while its session is paused, if 5 seconds were left when the pause began", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const { id: userId } = await buildPlayer(deps);
  const call = () => buildCall(deps, { userId, eventId: event.id });
  const callIds = [await call(), await call()];
  await pauseSession(deps, { sessionId: session.id, actor: null });

  for (const callId of callIds.slice(1)) await cancelCall(deps, { viewer: { id: userId }, callId });
  await deps.pool.db.execute(sql`UPDATE events SET closes_at =
    (SELECT paused_at FROM sessions WHERE id = ${session.id}) + interval '4.9 s' WHERE id = ${event.id}`);
  const [first = 0] = callIds;
  const refusal = await refusalOf(cancelCall(deps, { viewer: { id: userId }, callId: first }));

  expect(refusal.details.detail).toBe("A call can be taken back until 5 seconds before its event closes.");
  expect(await Promise.all(callIds.map(stateOf))).toEqual(["placed", "soft_destroyed"]);
});

test("a player is offered to take a call back during a pause as the clock of the session says", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const { id: userId } = await buildPlayer(deps);
  const callId = await buildCall(deps, { userId, eventId: event.id });
  await pauseSession(deps, { sessionId: session.id, actor: null });
  const anHourLater = new Date(Date.now() + 3_600_000);
  const offered = async () => {
    const [call] = await findCallViews(deps.pool.db, { callIds: [callId] }, anHourLater);
    return call?.cancellable;
  };

  expect(await offered()).toBe(true);
  await deps.pool.db.execute(sql`UPDATE events SET closes_at =
    (SELECT paused_at FROM sessions WHERE id = ${session.id}) + interval '4.9 s' WHERE id = ${event.id}`);
  expect(await offered()).toBe(false);
});

test("in a pause only a call of the 10 seconds before it can be taken back, and the others after the resume", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 600 });
  const { id: userId } = await buildPlayer(deps);
  const callId = await buildCall(deps, { userId, eventId: event.id });
  await runClock(deps.pool, { aheadMs: 10_500 });
  const late = await buildCall(deps, { userId, eventId: event.id });
  await pauseSession(deps, { sessionId: session.id, actor: null });
  const views = await findCallViews(deps.pool.db, { callIds: [callId, late] }, new Date());
  expect(views.map(({ cancellable }) => cancellable)).toEqual([false, true]);

  const refusal = await refusalOf(cancelCall(deps, { viewer: { id: userId }, callId }));
  expect(refusal.details.detail).toBe(
    "The session is paused: only a call of the last 10 seconds before the pause can be taken back. Try again once the session goes on.",
  );
  expect(await stateOf(callId)).toBe("placed");
  await cancelCall(deps, { viewer: { id: userId }, callId: late });
  await resumeSession(deps, { sessionId: session.id, actor: null });
  await cancelCall(deps, { viewer: { id: userId }, callId });
  expect(await Promise.all([callId, late].map(stateOf))).toEqual(["soft_destroyed", "soft_destroyed"]);
  await runClock(deps.pool);
});
