import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { listDifferences } from "#tests/support/books.ts";
import { outbox } from "#db/schema/outbox.ts";
import { audit } from "#db/schema/audit.ts";
import { findEventView } from "#src/events/find-event-views.ts";
import { performTransition } from "#src/events/perform-transition.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { sweepOnce } from "#src/events/sweep.ts";
import { pauseSession } from "#src/sessions/pause-session.ts";
import { resumeSession } from "#src/sessions/resume-session.ts";
import { stopSession } from "#src/sessions/stop-session.ts";
import { Relays } from "#tests/cable/relays.ts";
import { alarmOf } from "#tests/jobs/stage.ts";
import { buildAdmin, type BuiltUser, readEvent } from "#tests/support/build.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildContest, clockAt, DELAY_S, findSettlements, inSeconds, ring } from "./paid-late.ts";

let deps: TestDeps;
let admin: BuiltUser;
beforeAll(async () => {
  deps = await buildDeps();
  admin = await buildAdmin(deps);
});
beforeEach(() => clockAt(deps, 0));
afterAll(async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await deps.close();
});

const resolve = (eventId: number, result: "true" | "false" | "void", actor = admin) =>
  resolveEvent(deps, { eventId, actor, result });
const failure = (error: unknown) => {
  throw error;
};

test("a result in a session with a settlement delay is noted first: the event stays closed, nobody is paid, and the alarm is set for the end of the delay", async () => {
  const { eventId, balance } = await buildContest(deps);
  const noted = await resolveEvent(deps, { eventId, actor: admin, result: "true", reason: "Seen by all" });
  expect(noted).toMatchObject({
    state: "closed",
    result: null,
    pendingResult: "true",
    pendingReason: "Seen by all",
    pendingById: admin.id,
    nextTransition: "resolve",
    dueAt: inSeconds(DELAY_S),
  });
  expect(await findSettlements(deps, eventId)).toEqual([]);
  expect(await balance()).toBe(10_000);
});

test("a result in a session with a settlement delay is paid by its alarm, once, however often that rings, in the name of whoever decided", async () => {
  const { eventId, balance } = await buildContest(deps);
  const noted = await resolve(eventId, "true");
  expect(await ring(deps, eventId)).toBe(DELAY_S * 1_000);
  await clockAt(deps, DELAY_S);
  const alarm = alarmOf(noted);
  await Promise.all([performTransition(deps, alarm), performTransition(deps, alarm)]);
  await performTransition(deps, alarm);
  expect(await readEvent(deps, eventId)).toMatchObject({
    state: "resolved",
    result: "true",
    resolvedAt: inSeconds(DELAY_S),
    pendingResult: null,
    pendingById: null,
    nextTransition: null,
  });
  expect(await findSettlements(deps, eventId)).toHaveLength(1);
  expect(await balance()).toBe(10_100);
  const lines = await deps.pool.db
    .select({ action: audit.action, actorId: audit.actorId })
    .from(audit)
    .where(eq(audit.subjectId, eventId))
    .orderBy(desc(audit.id))
    .limit(2);
  expect(lines).toEqual([
    { action: "resolve", actorId: admin.id },
    { action: "note_result", actorId: admin.id },
  ]);
});

test("a result in a session with a settlement delay is paid by the sweep where no alarm rings", async () => {
  const { eventId, balance } = await buildContest(deps);
  await resolve(eventId, "true");
  await clockAt(deps, DELAY_S + 1.5);
  await sweepOnce(deps, failure);
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "resolved", result: "true" });
  expect(await balance()).toBe(10_100);
});

test("a result in a session with a settlement delay closes an event that is still open, and keeps from when on calls are refunded", async () => {
  const { eventId, balance } = await buildContest(deps, "open");
  const effectiveAt = inSeconds(-1);
  const noted = await resolveEvent(deps, { eventId, actor: admin, result: "true", effectiveAt });
  expect(noted).toMatchObject({ state: "closed", pendingEffectiveAt: effectiveAt });
  await clockAt(deps, DELAY_S);
  await ring(deps, eventId);
  expect((await findSettlements(deps, eventId))[0]).toMatchObject({ effectiveAt, result: "true" });
  // Both calls came after that moment.
  expect(await balance()).toBe(10_000);
});

test("a result in a session with a settlement delay that the event gives itself waits as well; that of an event that nobody resolved does not", async () => {
  const planned = await buildContest(deps, "closed", { autoResult: "false", resolveWithinSeconds: 10 });
  await clockAt(deps, 10);
  await ring(deps, planned.eventId);
  expect(await readEvent(deps, planned.eventId)).toMatchObject({
    state: "closed",
    pendingResult: "false",
    pendingById: null,
    dueAt: inSeconds(10 + DELAY_S),
  });
  await clockAt(deps, 10 + DELAY_S);
  await ring(deps, planned.eventId);
  expect(await readEvent(deps, planned.eventId)).toMatchObject({ state: "resolved", result: "false" });

  const forgotten = await buildContest(deps);
  await stopSession(deps, { sessionId: forgotten.session.id, actor: admin });
  await clockAt(deps, 10 + DELAY_S + 24 * 3_600);
  await ring(deps, forgotten.eventId);
  expect(await readEvent(deps, forgotten.eventId)).toMatchObject({ state: "resolved", result: "void" });
});

test("a result in a session with a settlement delay is corrected at once after it was paid: within 10 s without a reason", async () => {
  const { eventId, balance } = await buildContest(deps);
  await resolve(eventId, "true");
  await clockAt(deps, DELAY_S);
  await ring(deps, eventId);
  await clockAt(deps, DELAY_S + 10);
  expect(await resolve(eventId, "false")).toMatchObject({ state: "resolved", result: "false" });
  expect(await balance()).toBe(9_900);
});

test("a result that waits to be paid keeps its remaining milliseconds while the session is paused", async () => {
  const { eventId, session, balance } = await buildContest(deps);
  await resolve(eventId, "true");
  await clockAt(deps, 2);
  await pauseSession(deps, { sessionId: session.id, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: null, remainingMs: 3_000 });
  await clockAt(deps, 60);
  await sweepOnce(deps, failure);
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "closed", pendingResult: "true" });
  await resumeSession(deps, { sessionId: session.id, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: inSeconds(63), remainingMs: null });
  await clockAt(deps, 63);
  await ring(deps, eventId);
  expect(await balance()).toBe(10_100);
});

test("a result that waits to be paid noted in a pause it waits for the whole delay after the resume", async () => {
  const { eventId, session } = await buildContest(deps);
  await pauseSession(deps, { sessionId: session.id, actor: admin });
  await clockAt(deps, 30);
  expect(await resolve(eventId, "true")).toMatchObject({ dueAt: null, remainingMs: DELAY_S * 1_000 });
  await resumeSession(deps, { sessionId: session.id, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: inSeconds(30 + DELAY_S) });
});

test("stopped in a pause, everybody is told when it is paid", async () => {
  const { eventId, session } = await buildContest(deps);
  await resolve(eventId, "true");
  await clockAt(deps, 2);
  await pauseSession(deps, { sessionId: session.id, actor: admin });
  const facts = () => deps.pool.db.$count(outbox, sql`payload @> ${{ eventId, change: "update" }}::jsonb`);
  const before = await facts();
  await clockAt(deps, 60);
  await stopSession(deps, { sessionId: session.id, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: inSeconds(63), remainingMs: null });
  expect(await facts()).toBe(before + 1);
});

test("a result that waits to be paid is told to everybody, with its moment", async () => {
  const relays = await Relays.open(deps);
  const web = relays.start();
  const { eventId, session, ana } = await buildContest(web);
  await relays.quiet(web);
  await resolveEvent(web, { eventId, actor: admin, result: "false" });
  const pending = {
    state: "closed",
    result: null,
    pendingResult: false,
    paysAt: inSeconds(DELAY_S).toISOString(),
  };
  const message = await waitFor(
    "the message",
    () => relays.radio.session(session.id).find(({ eventType }) => eventType === "update") ?? null,
  );
  expect(message).toMatchObject({ sourceType: "Event", eventType: "update", detail: { event: pending } });
  await pauseSession(web, { sessionId: session.id, actor: admin });
  const viewing = { viewerId: ana.id, publishedOnly: true, now: new Date() };
  expect(await findEventView(deps.pool.db, eventId, viewing)).toMatchObject({ ...pending, paysAt: null });
  await relays.stop();
  relays.radio.stop();
});
