import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { planEvents } from "#src/show/sessions/plan-events.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import {
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();

const start = ({ id }: SessionRow) => startSession(deps, { sessionId: id, actor: null });
const eventsOf = ({ id }: SessionRow) =>
  deps.pool.db.select().from(events).where(eq(events.sessionId, id)).orderBy(asc(events.position));
const secondsAfter = (start: Date | null, moment: Date | null) =>
  moment === null || start === null ? null : Math.round((moment.getTime() - start.getTime()) / 1_000);

test("an event opens after the planned close of the previous one, or at its own offset", () => {
  const plan = planEvents(
    [
      { id: 1, startMode: "after_previous", offsetSeconds: 5, durationSeconds: 20 },
      { id: 2, startMode: "after_previous", offsetSeconds: 12, durationSeconds: 30 },
      { id: 3, startMode: "offset", offsetSeconds: 40, durationSeconds: 10 },
      { id: 4, startMode: "after_previous", offsetSeconds: 0, durationSeconds: 10 },
    ],
    0,
  );
  expect(plan.map((event) => event.opensInSeconds)).toEqual([5, 37, 40, 50]);
});

test("an event that waits for a result or for the host has no planned time, and neither have those that follow it", () => {
  const plan = planEvents(
    [
      { id: 1, startMode: "after_result", offsetSeconds: 5, durationSeconds: 20 },
      { id: 2, startMode: "after_previous", offsetSeconds: 8, durationSeconds: 30 },
      { id: 3, startMode: "after_result", offsetSeconds: 8, durationSeconds: 10 },
      { id: 4, startMode: "after_previous", offsetSeconds: 8, durationSeconds: 10 },
      { id: 5, startMode: "offset", offsetSeconds: 90, durationSeconds: 10 },
      { id: 6, startMode: "after_previous", offsetSeconds: 8, durationSeconds: 10 },
      { id: 7, startMode: "by_hand", offsetSeconds: 8, durationSeconds: 10 },
    ],
    10,
  );
  expect(plan.map((event) => event.opensInSeconds)).toEqual([15, 43, null, null, 100, 118, null]);
});

test("starting a session plans the moments and the first alarm of every event", async () => {
  const session = await buildSession(deps);
  const terms = { sessionId: session.id, durationSeconds: 20, leadSeconds: 5, resolveWithinSeconds: 4 };
  await buildDraft(deps, { ...terms, position: 1, offsetSeconds: 2 });
  await buildDraft(deps, { ...terms, position: 2, offsetSeconds: 12 });
  const visible = await buildEvent(deps, "visible", { ...terms, position: 3, offsetSeconds: 10 });
  const { startedAt } = await start(session);
  const made = await eventsOf(session);
  expect(made.map((event) => secondsAfter(startedAt, event.opensAt))).toEqual([2, 34, 64]);
  expect(made.map((event) => secondsAfter(startedAt, event.closesAt))).toEqual([22, 54, 84]);
  expect(made.map((event) => secondsAfter(startedAt, event.resolveBy))).toEqual([26, 58, 88]);
  expect(made.map((event) => event.nextTransition)).toEqual(["publish_event", "publish_event", "open_event"]);
  // The first event's lead would begin before the start.
  expect(made.map((event) => secondsAfter(startedAt, event.dueAt))).toEqual([0, 29, 64]);
  expect(made[2]?.scheduleVersion).toBe(visible.scheduleVersion + 1);
});

test("in a running session a published event opens at its planned time", async () => {
  const session = await buildSession(deps);
  const { id } = await buildDraft(deps, { sessionId: session.id, startMode: "offset", offsetSeconds: 600 });
  await start(session);
  const visible = await publishEvent(deps, { eventId: id, actor: null });
  expect(visible).toMatchObject({ nextTransition: "open_event" });
  expect(visible.dueAt).toEqual(visible.opensAt);
});

test("a published event has no timer before the session runs", async () => {
  const session = await buildSession(deps);
  const visible = await buildEvent(deps, "visible", { sessionId: session.id });
  expect(visible).toMatchObject({ nextTransition: null, dueAt: null });
});

test("an event cannot be opened before its session runs, and nothing changes", async () => {
  const session = await buildSession(deps);
  const visible = await buildEvent(deps, "visible", { sessionId: session.id });
  const refusal = await refusalOf(openEvent(deps, { eventId: visible.id, actor: null }));
  expect(refusal.details).toMatchObject({
    errors: { stateEvent: ["cannot transition when Visible"] },
    detail: "The session is not running.",
  });
  expect(await readEvent(deps, visible.id)).toEqual(visible);
  expect((await readSpots(deps, visible.id)).true.state).toBe("closed");
});

test("an event opened early by an admin opens now, for its whole duration", async () => {
  const session = await buildRunningSession(deps);
  const opened = await buildEvent(deps, "open", { sessionId: session.id, durationSeconds: 45 });
  expect(opened.opensAt).toEqual(opened.openedAt);
  expect(secondsAfter(opened.openedAt, opened.closesAt)).toBe(45);
  expect(opened).toMatchObject({ nextTransition: "close_event" });
  expect(opened.dueAt).toEqual(opened.closesAt);
  expect(await readSpots(deps, opened.id)).toMatchObject({
    true: { state: "open" },
    false: { state: "open" },
  });
});

test("an event without a question cannot be published, and nothing changes", async () => {
  const draft = await buildDraft(deps, { title: "  ", falseLabel: "" });
  const refusal = await refusalOf(publishEvent(deps, { eventId: draft.id, actor: null }));
  expect(refusal.details.errors).toEqual({ title: ["can't be blank"], falseLabel: ["can't be blank"] });
  expect(await readEvent(deps, draft.id)).toEqual(draft);
});

test("stopping closes open events, hides unopened ones, and leaves closed ones", async () => {
  const session = await buildSession(deps);
  const far = { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 } as const;
  const draft = await buildDraft(deps, far);
  await start(session);
  const visible = await buildEvent(deps, "visible", { sessionId: session.id });
  const open = await buildEvent(deps, "open", { sessionId: session.id });
  const planned = await buildEvent(deps, "open", {
    sessionId: session.id,
    autoResult: "true",
    resolveWithinSeconds: 600,
  });
  const resolved = await buildEvent(deps, "resolved", { sessionId: session.id });
  const player = await buildPlayer(deps);
  await buildCall(deps, { userId: player.id, eventId: open.id });
  const { stoppedAt } = await stopSession(deps, { sessionId: session.id, actor: null });

  expect(await readEvent(deps, draft.id)).toMatchObject({
    state: "hidden",
    nextTransition: null,
    dueAt: null,
  });
  expect(await readEvent(deps, visible.id)).toMatchObject({
    state: "hidden",
    nextTransition: null,
    dueAt: null,
  });
  const closed = await readEvent(deps, open.id);
  expect(closed).toMatchObject({ state: "closed", nextTransition: "resolve" });
  expect(secondsAfter(stoppedAt, closed.dueAt)).toBe(24 * 3_600);
  const planClosed = await readEvent(deps, planned.id);
  expect(planClosed).toMatchObject({ state: "closed", nextTransition: "resolve" });
  expect(planClosed.dueAt).toEqual(planClosed.resolveBy);
  expect(await readEvent(deps, resolved.id)).toEqual(resolved);
});
