import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { eventStates } from "#db/lists/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { setRows } from "#tests/support/rows.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildContest,
  clockAt,
  DELAY_S,
  deliverAlarm,
  findSettlements,
  inSeconds,
} from "./delayed-settlement.ts";

const { deps, db, by, timer, build, read, refused } = await testWorld();
const admin = await build.admin();

beforeEach(() => clockAt(deps, 0));

const resolve = (eventId: number, result: "true" | "false" | "void", actor = admin) =>
  by(actor).settle(eventId, result);

test("with a settlement delay a result is pending first: the event stays closed, and nobody is paid", async () => {
  const { eventId, balance } = await buildContest(deps);
  const noted = await by(admin).settle(eventId, "true", { reason: "Seen by all" });
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
  await timer.pay(eventId);
  expect(await read.event(eventId)).toMatchObject({
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
  expect((await read.audit({ subjectId: eventId })).slice(-2)).toMatchObject([
    { action: "note_result", actorId: admin.id },
    { action: "resolve", actorId: admin.id },
  ]);
});

test("by default a person's result waits 5 s, in a session and without one", async () => {
  const session = await build.runningSession();
  await db.update(sessions).set({ settings: {} }).where(eq(sessions.id, session.id));
  for (const terms of [{ sessionId: session.id }, {}]) {
    const { id } = await build.event("closed", terms);
    expect(await resolve(id, "true")).toMatchObject({ pendingResult: "true", dueAt: inSeconds(5) });
  }
});

test("without a delay, a result on more calls than a request decides is pending until the alarm pays it", async () => {
  const { eventId, session, balance } = await buildContest(deps);
  await setRows(db, sessions, eq(sessions.id, session.id), { settings: { settlementDelaySeconds: 0 } });
  await decideAtOnce(1);
  const noted = await resolve(eventId, "true");
  expect(noted).toMatchObject({ state: "closed", result: null, pendingResult: "true", dueAt: inSeconds(0) });
  expect(await findSettlements(deps, eventId)).toEqual([]);
  await deliverAlarm(deps, eventId);
  expect(await read.event(eventId)).toMatchObject({ state: "resolved", result: "true", pendingResult: null });
  expect(await balance()).toBe(10_100);
  // A correction is decided in its request.
  await by(admin).settle(eventId, "false", { reason: "Seen again" });
  expect(await read.event(eventId)).toMatchObject({ state: "resolved", result: "false" });
  await decideAtOnce(50_000);
});

/** Sets the number of calls up to which a person's result is decided in the request. */
async function decideAtOnce(callsMax: number): Promise<void> {
  await deps.pool.sql.unsafe(
    `CREATE OR REPLACE FUNCTION decide_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT ${callsMax} $$`,
  );
}

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
  expect(await read.event(eventId)).toEqual(withdrawn);
  expect(await findSettlements(deps, eventId)).toEqual([]);
  expect(await balance()).toBe(10_000);
  const line = await read.lastAudit();
  expect(line).toMatchObject({ actorId: admin.id, action: "withdraw", reason: "A slip" });
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
    expect(await read.event(eventId)).toEqual(left);
    expect(await balance()).toBe(10_000);
    expect(await read.wallet(ana.id)).toMatchObject({ heldCents: 0 });
  },
);

test.each(eventStates.filter((state) => state !== "closed" && state !== "soft_destroyed"))(
  "refused, and nothing changes: withdrawing when %s",
  async (state) => {
    const event = await build.event(state);
    const refusal = await refused(() => by(admin).withdraw(event.id));
    expect(refusal.details.errors).toEqual({
      stateEvent: [`cannot transition when ${eventStateLabel(state)}`],
    });
  },
);

test("refused, and nothing changes: withdrawing without a pending result", async () => {
  const { eventId } = await buildContest(deps);
  const refusal = await refused(() => by(admin).withdraw(eventId));
  expect(refusal.details).toEqual({
    errors: { stateEvent: ["cannot transition when Closed"] },
    detail: "No result waits to be paid.",
  });
});

test("the new state `closed` never means withdrawing", async () => {
  const { eventId } = await buildContest(deps);
  const noted = await resolve(eventId, "true");
  const asked = changeEventState(deps, { eventId, actor: admin, body: { state: "closed" } });
  expect((await refusalOf(asked)).details.errors).toEqual({ stateEvent: ["cannot transition when Closed"] });
  expect(await read.event(eventId)).toEqual(noted);
});
