import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { activateSession } from "#src/show/sessions/activate-session.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildSessionIn, listChanges } from "./fixtures.ts";

const { db, timer, build, read, client, refused, deps, by, runClock } = await testWorld();
const asAdmin = await client(await build.admin());

/** A pending session: the first event opens with the start, the second by its offset; both are shown 10 s before. */
async function buildShow() {
  const session = await build.session();
  await build.draft({ sessionId: session.id, position: 1 });
  await build.draft({ sessionId: session.id, position: 2, startMode: "offset", offsetSeconds: 60 });
  const start = (body?: unknown) => asAdmin.send("PUT", `/api/v1/sessions/${session.slug}/start`, body);
  return { session, start };
}

async function plannedIn(sessionId: number) {
  const { startedAt } = await read.session(sessionId);
  const rows = await read.events(sessionId);
  const after = (moment: Date | null) => ((moment?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;
  return rows.map(({ opensAt, dueAt }) => ({ opens: after(opensAt), shown: after(dueAt) }));
}

test("the first event opens so many seconds after the start, and is shown at once; the whole plan is that much later", async () => {
  const { session, start } = await buildShow();
  const { status, body } = await start({ session: { in_seconds: 10 } });
  expect(status).toBe(200);
  expect(v.parse(sessionAnswer, body).session).toMatchObject({ state: "running", startLeadSeconds: 10 });
  expect(await plannedIn(session.id)).toEqual([
    { opens: 10, shown: 0 },
    { opens: 70, shown: 60 },
  ]);
});

test.each([undefined, {}, { session: {} }, { session: { in_seconds: 0 } }])(
  "%j starts the plan at once",
  async (body) => {
    const { session, start } = await buildShow();
    expect((await start(body)).status).toBe(200);
    expect((await plannedIn(session.id)).map(({ opens }) => opens)).toEqual([0, 60]);
  },
);

async function buildRobot() {
  const robot = await build.player();
  await db.update(users).set({ robot: true }).where(eq(users.id, robot.id));
  return robot;
}

test("registered players are notified when the session starts; robots and others are not", async () => {
  const session = await build.session({ name: "Friday Derby" });
  await build.draft({ sessionId: session.id });
  const [joined, other, robot] = [await build.player(), await build.player(), await buildRobot()];
  await db.insert(registrations).values(
    [joined, robot].map(({ id: userId, username }) => ({
      sessionId: session.id,
      userId,
      displayName: username,
    })),
  );
  await timer.start(session.id);
  expect(await read.told(joined.id)).toMatchObject([
    {
      kind: "session_live",
      title: "Friday Derby is live",
      body: "The first question opens in a moment.",
      url: `/sessions/${session.slug}`,
    },
  ]);
  expect(await read.told(other.id)).toEqual([]);
  expect(await read.told(robot.id)).toEqual([]);
});

test("players of a session are notified of their score when it stops", async () => {
  const { session, event } = await build.openShow({}, { name: "Cup Final" });
  const [winner, loser, robot] = [await build.player(), await build.player(), await buildRobot()];
  await build.call({ userId: winner.id, eventId: event.id, side: "true", wagerCents: 300 });
  await build.call({ userId: loser.id, eventId: event.id, side: "false", wagerCents: 500 });
  await build.call({ userId: robot.id, eventId: event.id, side: "true", wagerCents: 300 });
  await timer.close(event.id);
  await timer.settle(event.id);
  await timer.stop(session.id);

  const over = { kind: "result", title: "Cup Final is over", url: `/sessions/${session.slug}/history` };
  expect(await read.told(winner.id)).toMatchObject([{ ...over, body: "You won 1 and lost 0: +$2.50." }]);
  expect(await read.told(loser.id)).toMatchObject([{ ...over, body: "You won 0 and lost 1: -$5.00." }]);
  expect(await read.told(robot.id)).toEqual([]);
});

test("the notification says that results are still missing", async () => {
  const session = await build.runningSession();
  const player = await build.player();
  for (const result of ["true", null] as const) {
    const event = await build.event("open", { sessionId: session.id });
    await build.call({ userId: player.id, eventId: event.id, side: "true", wagerCents: 100 });
    await timer.close(event.id);
    if (result !== null) await timer.settle(event.id, result);
  }
  await timer.stop(session.id);
  expect((await read.told(player.id)).at(-1)?.body).toBe(
    "Nothing won and nothing lost so far. Your wagers came back.",
  );
});

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
  expect((await refusalOf(timer.open(visible.id))).details).toMatchObject({
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

const admin = await build.admin();

beforeEach(() => runClock());

const pause = (sessionId: number) => by(admin).pause(sessionId);
const resume = (sessionId: number) => by(admin).resume(sessionId);
const after = (moment: Date | null, since: Date | null) => (moment?.getTime() ?? 0) - (since?.getTime() ?? 0);

/** A running session with an open event that closes in this many seconds. */
async function buildShowPause(closesInSeconds: number) {
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
  const { sessionId, event } = await buildShowPause(30);
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

  await runClock({ aheadMs: 600_000 });
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

beforeEach(async () => {
  await db.update(sessions).set({ active: false });
});

const command = ({ id }: SessionRow) => ({ sessionId: id, actor: null });

test("starting a session makes it active if no session is active, and else changes nothing", async () => {
  const session = await buildSessionIn(deps, "running");
  expect(session.active).toBe(true);
  expect(await listChanges(deps, session.id)).toContain("activate");
  const first = await buildSessionIn(deps, "running");
  const second = await buildSessionIn(deps, "running");
  expect(second.active).toBe(false);
  expect(await read.session(first.id)).toEqual(first);
});

test("a start that says so makes the session the active one instead of another", async () => {
  const first = await buildSessionIn(deps, "running");
  const { id } = await build.session();
  await build.draft({ sessionId: id });
  const started = await startSession(deps, { sessionId: id, actor: null, activate: true });
  expect(started).toMatchObject({ state: "running", active: true });
  expect(await read.session(first.id)).toMatchObject({ state: "running", active: false });
  expect(await listChanges(deps, first.id)).toContain("deactivate");
  expect(await listChanges(deps, id)).toEqual(expect.arrayContaining(["start", "activate"]));
});

test("activating a session deactivates the other one, and both changes are broadcast", async () => {
  const first = await buildSessionIn(deps, "running");
  const second = await buildSessionIn(deps, "pending");
  expect((await activateSession(deps, command(second))).active).toBe(true);
  expect((await read.session(first.id)).active).toBe(false);
  expect(await listChanges(deps, first.id)).toContain("deactivate");
  expect(await listChanges(deps, second.id)).toContain("activate");
});

test("exactly one session is active after several start and one is activated at once", async () => {
  const many = await Promise.all(Array.from({ length: 6 }, () => buildSessionIn(deps, "pending")));
  const [chosen, ...others] = many;
  if (chosen === undefined) throw new Error("six were made");
  await Promise.all([
    ...others.map((session) => startSession(deps, command(session))),
    activateSession(deps, command(chosen)),
  ]);
  expect(await db.$count(sessions, eq(sessions.active, true))).toBe(1);
});
