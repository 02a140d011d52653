import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { eventSchema } from "#src/show/events/schemas.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import type { buildDraft } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { listChanges } from "./fixtures.ts";

const START_MS = Date.parse("2026-11-21T20:00:00.000Z");

const { deps, db, by, build, read, unchanged, signedIn, stopClockAt } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();

beforeEach(() => clockAt(0));

const clockAt = (seconds: number) => stopClockAt(new Date(START_MS + seconds * 1_000));
const secondsOf = (moment: Date | null) => (moment === null ? null : (moment.getTime() - START_MS) / 1_000);
const pathOf = (key: string | number) => `/api/v1/sessions/${key}/events/batch_update_positions`;
const inOrder = (...ids: number[]) => ({ events: ids.map((id, index) => ({ id, position: index + 1 })) });
const reorder = (key: string | number, ...ids: number[]) =>
  asAdmin.send("POST", pathOf(key), inOrder(...ids));

type Terms = Parameters<typeof buildDraft>[1];

/** A pending session with events of 30 s, each 10 s after the previous one: 0-30, 40-70, 80-110 once it runs. */
async function buildShow(...more: Terms[]) {
  const session = await build.session();
  const terms = { sessionId: session.id, durationSeconds: 30, leadSeconds: 5 };
  const made = [
    await build.draft({ ...terms, position: 1, title: "A" }),
    await build.draft({ ...terms, position: 2, title: "B", offsetSeconds: 10 }),
    await build.draft({ ...terms, position: 3, title: "C", offsetSeconds: 10 }),
  ];
  for (const [index, each] of more.entries()) {
    made.push(await build.draft({ ...terms, position: 4 + index, ...each }));
  }
  const [a = 0, b = 0, c = 0, d = 0] = made.map(({ id }) => id);
  return { session, order: { sessionId: session.id, actor: admin }, a, b, c, d };
}

/** The titles of a session's events in order, each with its opening in seconds after the start. */
async function readPlan(sessionId: number): Promise<[title: string, opens: number | null][]> {
  return (await read.events(sessionId)).map(({ title, opensAt }) => [title, secondsOf(opensAt)]);
}

test("reordering a pending session sets the order, broadcasts it and writes to the audit log", async () => {
  const { session, a, b, c } = await buildShow();
  const { status, body } = await reorder(session.slug, c, a, b);
  expect(status).toBe(200);
  expect(v.parse(v.object({ events: v.array(eventSchema) }), body).events).toMatchObject([
    { title: "C", position: 1, opensAt: null },
    { title: "A", position: 2, plan: { offsetSeconds: 0 } },
    { title: "B", position: 3 },
  ]);
  expect(await read.lastAudit()).toMatchObject({
    actorId: admin.id,
    action: "reorder_events",
    subjectType: "session",
    subjectId: session.id,
    sessionId: session.id,
    before: { eventIds: [a, b, c] },
    after: { eventIds: [c, a, b] },
  });
  expect(await listChanges(deps, session.id)).toEqual(["update"]);
});

test("in a running session the first event keeps the first opening, and each follows its start mode", async () => {
  const { session, order, a, b, c } = await buildShow();
  await startSession(deps, order);
  await by(admin).delay(a, 20);
  await reorder(session.id, b, c, a);
  expect(await readPlan(session.id)).toEqual([
    ["B", 20],
    ["C", 60],
    ["A", 90],
  ]);
  const [first] = await db.select().from(events).where(eq(events.id, b));
  expect(first).toMatchObject({ nextTransition: "publish_event", state: "draft" });
  expect(secondsOf(first?.dueAt ?? null)).toBe(15);
  expect(secondsOf(first?.closesAt ?? null)).toBe(50);
  expect(secondsOf(first?.resolveBy ?? null)).toBe(110);
});

test("reordering changes neither events before the first change nor opened ones", async () => {
  const { session, order, a, b, c, d } = await buildShow({ title: "D" });
  await startSession(deps, order);
  await by(admin).publish(a);
  await by(admin).open(a);
  await clockAt(2);
  await by(admin).publish(c);
  const heard = await db.$count(outbox, eq(outbox.kind, "event_changed"));
  expect((await reorder(session.id, b, d, c)).status).toBe(200);
  expect(await readPlan(session.id)).toEqual([
    ["A", 0],
    ["B", 40],
    ["D", 70],
    ["C", 110],
  ]);
  const [published] = await db.select().from(events).where(eq(events.id, c));
  expect(published).toMatchObject({ state: "visible", nextTransition: "open_event" });
  expect(secondsOf(published?.dueAt ?? null)).toBe(110);
  // The draft that moved is not broadcast.
  expect(await db.$count(outbox, eq(outbox.kind, "event_changed"))).toBe(heard + 1);
});

test("an event with its own moment keeps it, and the events after it open later", async () => {
  const { session, order, a, b, c, d } = await buildShow({
    title: "D",
    startMode: "offset",
    offsetSeconds: 300,
  });
  await startSession(deps, order);
  await reorder(session.id, a, d, b, c);
  expect(await readPlan(session.id)).toEqual([
    ["A", 0],
    ["D", 300],
    ["B", 340],
    ["C", 380],
  ]);
});

test("reordering in a pause keeps the remaining times", async () => {
  const { session, order, a, b, c } = await buildShow();
  await startSession(deps, order);
  await by(admin).publish(a);
  await by(admin).open(a);
  await clockAt(10);
  await pauseSession(deps, order);
  await clockAt(100);
  await reorder(session.id, c, b);
  const [next] = await db.select().from(events).where(eq(events.id, c));
  expect(next).toMatchObject({ dueAt: null, remainingMs: 25_000 });
  await resumeSession(deps, order);
  expect(await readPlan(session.id)).toEqual([
    ["A", 0],
    ["C", 130],
    ["B", 170],
  ]);
});

test("refused, and nothing changes: a list with a missing, an opened, another session's or a deleted event", async () => {
  const { session, order, a, b, c } = await buildShow();
  const other = await buildShow();
  await startSession(deps, order);
  await by(admin).publish(a);
  await by(admin).open(a);
  for (const ids of [[c], [c, b, a], [other.c, b], [999_999, b]]) {
    expect(await unchanged(() => reorder(session.id, ...ids))).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: "What can be reordered has changed meanwhile. Look again." },
    });
  }
  await stopSession(deps, order);
  expect((await reorder(session.id, c, b)).status).toBe(409);
});

test("refused, and nothing changes: a list that is not an order", async () => {
  const { session, a, b, c } = await buildShow();
  const twice = { events: [a, b, c].map((id) => ({ id, position: 1 })) };
  for (const body of [inOrder(a, a, b, c), twice, inOrder(), { events: [{ id: a }] }, { events: {} }]) {
    expect(await unchanged(() => asAdmin.send("POST", pathOf(session.id), body))).toMatchObject({
      status: 422,
      body: { errors: { events: ["is invalid"] } },
    });
  }
  expect((await asAdmin.send("POST", pathOf(session.id), { order: [] })).status).toBe(400);
});

test("of two concurrent orders one wins as a whole", async () => {
  const { session, a, b, c } = await buildShow();
  const answers = await Promise.all([reorder(session.id, c, b, a), reorder(session.id, b, a, c)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const titles = (await readPlan(session.id)).map(([title]) => title).join("");
  expect(["CBA", "BAC"]).toContain(titles);
});
