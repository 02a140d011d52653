import { beforeEach, describe, expect, test } from "bun:test";
import { desc, eq, sql } from "drizzle-orm";
import { eventStates } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { findEventView } from "#src/show/events/find-event-views.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { sweepOnce } from "#src/show/timers/sweep.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { readWallet } from "#tests/support/books.ts";
import { buildAdmin, buildEvent, buildRunningSession, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow, resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import {
  buildContest,
  clockAt,
  DELAY_S,
  deliverAlarm,
  findSettlements,
  inSeconds,
} from "./delayed-settlement.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

beforeEach(() => clockAt(deps, 0));

const resolve = (eventId: number, result: "true" | "false" | "void", actor = admin) =>
  resolveAndPay(deps, { eventId, actor, result });
const failure = (error: unknown) => {
  throw error;
};

test("with a settlement delay a result is pending first: the event stays closed, and nobody is paid", async () => {
  const { eventId, balance } = await buildContest(deps);
  const noted = await resolveAndPay(deps, { eventId, actor: admin, result: "true", reason: "Seen by all" });
  expect(noted).toMatchObject({
    state: "closed",
    result: null,
    pendingResult: "true",
    pendingReason: "Seen by all",
    decidedAt: inSeconds(0),
    decidedById: admin.id,
    nextTransition: "resolve",
    dueAt: inSeconds(DELAY_S),
  });
  expect(await findSettlements(deps, eventId)).toEqual([]);
  expect(await balance()).toBe(10_000);
});

test("the alarm pays a pending result once, in the name of the admin who decided", async () => {
  const { eventId, balance } = await buildContest(deps);
  const noted = await resolve(eventId, "true");
  expect(await deliverAlarm(deps, eventId)).toBe(DELAY_S * 1_000);
  await clockAt(deps, DELAY_S);
  const alarm = alarmOf(noted);
  await Promise.all([performTransition(deps, alarm), performTransition(deps, alarm)]);
  await performTransition(deps, alarm);
  await payNow(deps, eventId);
  expect(await readEvent(deps, eventId)).toMatchObject({
    state: "resolved",
    result: "true",
    resolvedAt: inSeconds(DELAY_S),
    pendingResult: null,
    decidedAt: inSeconds(0),
    decidedById: admin.id,
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

test("the sweep pays a pending result without an alarm", async () => {
  const { eventId, balance } = await buildContest(deps);
  await resolve(eventId, "true");
  await clockAt(deps, DELAY_S + 1.5);
  await sweepOnce(deps, failure);
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "resolved", result: "true" });
  await payNow(deps, eventId);
  expect(await balance()).toBe(10_100);
});

test("with a settlement delay a result closes an open event, and keeps its effective time", async () => {
  const { eventId, balance } = await buildContest(deps, "open");
  const effectiveAt = inSeconds(-1);
  const noted = await resolveAndPay(deps, { eventId, actor: admin, result: "true", effectiveAt });
  expect(noted).toMatchObject({ state: "closed", effectiveAt });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, eventId);
  expect((await findSettlements(deps, eventId))[0]).toMatchObject({ effectiveAt, result: "true" });
  // Both calls were placed after that time.
  expect(await balance()).toBe(10_000);
});

test("a timer's result is paid at once: a planned one, and the void of an unresolved event", async () => {
  const planned = await buildContest(deps, "closed", { autoResult: "false", resolveWithinSeconds: 10 });
  await clockAt(deps, 10);
  await deliverAlarm(deps, planned.eventId);
  expect(await readEvent(deps, planned.eventId)).toMatchObject({
    state: "resolved",
    result: "false",
    pendingResult: null,
  });
  expect(await planned.balance()).toBe(9_900);

  const forgotten = await buildContest(deps);
  await stopSession(deps, { sessionId: forgotten.session.id, actor: admin });
  await clockAt(deps, 10 + DELAY_S + 24 * 3_600);
  await deliverAlarm(deps, forgotten.eventId);
  expect(await readEvent(deps, forgotten.eventId)).toMatchObject({ state: "resolved", result: "void" });
});

test("by default a person's result waits 5 s, in a session and without one", async () => {
  const session = await buildRunningSession(deps);
  await deps.pool.db.update(sessions).set({ settings: {} }).where(eq(sessions.id, session.id));
  for (const terms of [{ sessionId: session.id }, {}]) {
    const { id } = await buildEvent(deps, "closed", terms);
    expect(await resolve(id, "true")).toMatchObject({ pendingResult: "true", dueAt: inSeconds(5) });
  }
});

test("with a settlement delay of 0 a person's result is paid at once", async () => {
  const session = await buildRunningSession(deps, { settings: { settlementDelaySeconds: 0 } });
  const { id } = await buildEvent(deps, "closed", { sessionId: session.id });
  expect(await resolve(id, "true")).toMatchObject({ state: "resolved", result: "true", pendingResult: null });
});

test("without a delay, a result on more calls than a request decides is pending until the alarm pays it", async () => {
  const { eventId, session, balance } = await buildContest(deps);
  await deps.pool.db
    .update(sessions)
    .set({ settings: { settlementDelaySeconds: 0 } })
    .where(eq(sessions.id, session.id));
  await decideAtOnce(1);
  const noted = await resolve(eventId, "true");
  expect(noted).toMatchObject({ state: "closed", result: null, pendingResult: "true", dueAt: inSeconds(0) });
  expect(await findSettlements(deps, eventId)).toEqual([]);
  await deliverAlarm(deps, eventId);
  expect(await readEvent(deps, eventId)).toMatchObject({
    state: "resolved",
    result: "true",
    pendingResult: null,
  });
  expect(await balance()).toBe(10_100);
  // A correction is decided in its request.
  await resolveAndPay(deps, { eventId, actor: admin, result: "false", reason: "Seen again" });
  expect(await readEvent(deps, eventId)).toMatchObject({ state: "resolved", result: "false" });
  await decideAtOnce(50_000);
});

/** Sets the number of calls up to which a person's result is decided in the request. */
async function decideAtOnce(callsMax: number): Promise<void> {
  await deps.pool.sql.unsafe(
    `CREATE OR REPLACE FUNCTION decide_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT ${callsMax} $$`,
  );
}

test("a pending result keeps its remaining time while the session is paused", async () => {
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
  await deliverAlarm(deps, eventId);
  expect(await balance()).toBe(10_100);
});

test("a result that is given during a pause waits for the whole delay after the resume", async () => {
  const { eventId, session } = await buildContest(deps);
  await pauseSession(deps, { sessionId: session.id, actor: admin });
  await clockAt(deps, 30);
  expect(await resolve(eventId, "true")).toMatchObject({ dueAt: null, remainingMs: DELAY_S * 1_000 });
  await resumeSession(deps, { sessionId: session.id, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: inSeconds(30 + DELAY_S) });
});

test("a stop during a pause broadcasts when the pending result is paid", async () => {
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

test("a pending result is broadcast with its time of payment", async () => {
  const relays = await Relays.open(deps);
  const web = relays.start();
  const { eventId, session, ana } = await buildContest(web);
  await relays.sendAndClear(web);
  await resolveAndPay(web, { eventId, actor: admin, result: "false" });
  const pending = {
    state: "closed",
    result: null,
    pendingResult: false,
    paysAt: inSeconds(DELAY_S).toISOString(),
  };
  const message = await waitFor(
    "the message",
    () => relays.listener.session(session.id).find(({ eventType }) => eventType === "update") ?? null,
  );
  expect(message).toMatchObject({ sourceType: "Event", eventType: "update", detail: { event: pending } });
  await pauseSession(web, { sessionId: session.id, actor: admin });
  const viewing = { viewerId: ana.id, publishedOnly: true, now: new Date() };
  expect(await findEventView(deps.pool.db, eventId, viewing)).toMatchObject({ ...pending, paysAt: null });
  await relays.stop();
  relays.listener.stop();
});

test("another result replaces a pending one and restarts the delay; the same one changes nothing", async () => {
  const { eventId, balance } = await buildContest(deps);
  const first = await resolve(eventId, "true");
  await clockAt(deps, 2);
  const { version, dueAt } = first;
  expect(await resolve(eventId, "true")).toMatchObject({ version, dueAt, pendingResult: "true" });
  const other = await buildAdmin(deps);
  const second = await resolve(eventId, "false", other);
  expect(second).toMatchObject({
    state: "closed",
    pendingResult: "false",
    decidedById: other.id,
    dueAt: inSeconds(2 + DELAY_S),
  });
  await clockAt(deps, 2 + DELAY_S);
  expect(await performTransition(deps, alarmOf(first))).toBe(0);
  expect(await readEvent(deps, eventId)).toEqual(second);
  await deliverAlarm(deps, eventId);
  expect(await balance()).toBe(9_900);
  expect(await findSettlements(deps, eventId)).toHaveLength(1);
});

test("a withdrawn result moves no money, and its alarm does nothing", async () => {
  const { eventId, balance } = await buildContest(deps, "closed", { autoResult: "true" });
  const noted = await resolve(eventId, "true");
  const withdrawn = await changeEventState(deps, {
    eventId,
    actor: admin,
    body: { stateEvent: "withdraw", reason: "A slip" },
  });
  expect(withdrawn).toMatchObject({
    state: "closed",
    pendingResult: null,
    decidedById: null,
    autoResult: null,
    nextTransition: null,
    dueAt: null,
  });
  await clockAt(deps, DELAY_S);
  await performTransition(deps, alarmOf(noted));
  expect(await readEvent(deps, eventId)).toEqual(withdrawn);
  expect(await findSettlements(deps, eventId)).toEqual([]);
  expect(await balance()).toBe(10_000);
  const [line] = await deps.pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
  expect(line).toMatchObject({ actorId: admin.id, action: "withdraw", reason: "A slip" });
});

test("a pending result is paid after a stop; if it is withdrawn, the event is voided a day later", async () => {
  const [paid, withdrawn] = [await buildContest(deps), await buildContest(deps)];
  for (const { eventId, session } of [paid, withdrawn]) {
    await resolve(eventId, "true");
    await stopSession(deps, { sessionId: session.id, actor: admin });
  }
  expect(await readEvent(deps, paid.eventId)).toMatchObject({ dueAt: inSeconds(DELAY_S) });
  await withdrawResult(deps, { eventId: withdrawn.eventId, actor: admin });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, paid.eventId);
  expect(await paid.balance()).toBe(10_100);
  expect(await readEvent(deps, withdrawn.eventId)).toMatchObject({ dueAt: inSeconds(24 * 3_600) });
  await clockAt(deps, 24 * 3_600);
  await deliverAlarm(deps, withdrawn.eventId);
  expect(await readEvent(deps, withdrawn.eventId)).toMatchObject({ state: "resolved", result: "void" });
});

test.each(["skip", "reset"] as const)(
  "a pending result is dropped by %s, which refunds the calls",
  async (verb) => {
    const { eventId, balance, ana } = await buildContest(deps);
    const noted = await resolve(eventId, "true");
    const order = { eventId, actor: admin, reason: "Rained off" };
    const left = await (verb === "skip" ? skipEvent(deps, order) : resetEvent(deps, order));
    expect(left).toMatchObject({
      state: verb === "skip" ? "hidden" : "draft",
      pendingResult: null,
      pendingReason: null,
      decidedById: null,
    });
    await clockAt(deps, DELAY_S);
    await performTransition(deps, alarmOf(noted));
    expect(await readEvent(deps, eventId)).toEqual(left);
    expect(await balance()).toBe(10_000);
    expect(await readWallet(deps.pool.db, ana.id)).toMatchObject({ heldCents: 0 });
  },
);

test("a delay moves a pending result; a new `resolveWithinSeconds` does not", async () => {
  const { eventId } = await buildContest(deps, "closed", { autoResult: "true", resolveWithinSeconds: 9 });
  await resolve(eventId, "false");
  await updateEvent(deps, { eventId, actor: admin, changes: { resolveWithinSeconds: 90 } });
  expect(await readEvent(deps, eventId)).toMatchObject({ dueAt: inSeconds(DELAY_S) });
  expect(await delayEvent(deps, { eventId, actor: admin, seconds: 30 })).toMatchObject({
    dueAt: inSeconds(DELAY_S + 30),
  });
});

describe("refused, and nothing changes:", () => {
  test.each(eventStates.filter((state) => state !== "closed" && state !== "soft_destroyed"))(
    "withdrawing when %s",
    async (state) => {
      const event = await buildEvent(deps, state);
      const refusal = await refusalOf(withdrawResult(deps, { eventId: event.id, actor: admin }));
      expect(refusal.details.errors).toEqual({
        stateEvent: [`cannot transition when ${eventStateLabel(state)}`],
      });
      expect(await readEvent(deps, event.id)).toEqual(event);
    },
  );

  test("withdrawing without a pending result, also after it was paid", async () => {
    const { eventId } = await buildContest(deps);
    const withdraw = () => withdrawResult(deps, { eventId, actor: admin });
    const closed = await readEvent(deps, eventId);
    const refusal = await refusalOf(withdraw());
    expect(refusal.details).toEqual({
      errors: { stateEvent: ["cannot transition when Closed"] },
      detail: "No result waits to be paid.",
    });
    expect(await readEvent(deps, eventId)).toEqual(closed);
    await resolve(eventId, "true");
    await clockAt(deps, DELAY_S);
    await deliverAlarm(deps, eventId);
    const resolved = await readEvent(deps, eventId);
    expect((await refusalOf(withdraw())).details.errors).toEqual({
      stateEvent: ["cannot transition when Resolved"],
    });
    expect(await readEvent(deps, eventId)).toEqual(resolved);
  });

  test("deciding and withdrawing by an admin with a call on the event", async () => {
    const { eventId, ana } = await buildContest(deps);
    expect((await refusalOf(resolve(eventId, "true", ana))).status).toBe(403);
    const noted = await resolve(eventId, "false");
    const refusal = await refusalOf(withdrawResult(deps, { eventId, actor: ana }));
    expect(refusal).toMatchObject({
      status: 403,
      details: { detail: "You have a call on this event. Somebody else must withdraw it." },
    });
    expect(await readEvent(deps, eventId)).toEqual(noted);
  });
});

test("the new state `closed` never means withdrawing", async () => {
  const { eventId } = await buildContest(deps);
  const noted = await resolve(eventId, "true");
  const asked = changeEventState(deps, { eventId, actor: admin, body: { state: "closed" } });
  expect((await refusalOf(asked)).details.errors).toEqual({ stateEvent: ["cannot transition when Closed"] });
  expect(await readEvent(deps, eventId)).toEqual(noted);
});
