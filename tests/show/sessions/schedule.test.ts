import { expect, test } from "bun:test";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { testWorld } from "#tests/support/world.ts";

const { timer, build, read, refused } = await testWorld();

const start = ({ id }: SessionRow) => timer.start(id);
const eventsOf = ({ id }: SessionRow) => read.events(id);
const secondsAfter = (start: Date | null, moment: Date | null) =>
  moment === null || start === null ? null : Math.round((moment.getTime() - start.getTime()) / 1_000);

test("starting a session plans the moments and the first alarm of every event", async () => {
  const session = await build.session();
  const terms = { sessionId: session.id, durationSeconds: 20, leadSeconds: 5, resolveWithinSeconds: 4 };
  await build.draft({ ...terms, position: 1, offsetSeconds: 2 });
  await build.draft({ ...terms, position: 2, offsetSeconds: 12 });
  const visible = await build.event("visible", { ...terms, position: 3, offsetSeconds: 10 });
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

test("an event cannot be opened before its session runs, and nothing changes", async () => {
  const session = await build.session();
  const visible = await build.event("visible", { sessionId: session.id });
  const refusal = await refusalOf(timer.open(visible.id));
  expect(refusal.details).toMatchObject({
    errors: { stateEvent: ["cannot transition when Visible"] },
    detail: "The session is not running.",
  });
  expect(await read.event(visible.id)).toEqual(visible);
  expect((await read.spots(visible.id)).true.state).toBe("closed");
});

test("an event without a question cannot be published, and nothing changes", async () => {
  const draft = await build.draft({ title: "  ", falseLabel: "" });
  const refusal = await refused(() => timer.publish(draft.id));
  expect(refusal.details.errors).toEqual({ title: ["can't be blank"], falseLabel: ["can't be blank"] });
});

test("stopping closes open events, hides unopened ones, and leaves closed ones", async () => {
  const session = await build.session();
  const far = { sessionId: session.id, startMode: "offset", offsetSeconds: 3_600 } as const;
  const draft = await build.draft(far);
  await start(session);
  const visible = await build.event("visible", { sessionId: session.id });
  const open = await build.event("open", { sessionId: session.id });
  const planned = await build.event("open", {
    sessionId: session.id,
    autoResult: "true",
    resolveWithinSeconds: 600,
  });
  const resolved = await build.event("resolved", { sessionId: session.id });
  const player = await build.player();
  await build.call({ userId: player.id, eventId: open.id });
  const { stoppedAt } = await timer.stop(session.id);

  expect(await read.event(draft.id)).toMatchObject({ state: "hidden", nextTransition: null, dueAt: null });
  expect(await read.event(visible.id)).toMatchObject({ state: "hidden", nextTransition: null, dueAt: null });
  const closed = await read.event(open.id);
  expect(closed).toMatchObject({ state: "closed", nextTransition: "resolve" });
  expect(secondsAfter(stoppedAt, closed.dueAt)).toBe(24 * 3_600);
  const planClosed = await read.event(planned.id);
  expect(planClosed).toMatchObject({ state: "closed", nextTransition: "resolve" });
  expect(planClosed.dueAt).toEqual(planClosed.resolveBy);
  expect(await read.event(resolved.id)).toEqual(resolved);
});
