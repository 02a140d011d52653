import { beforeEach, expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { eventStates } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessions } from "#db/schema/sessions.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import {
  buildContest,
  clockAt,
  DELAY_S,
  deliverAlarm,
  findSettlements,
  inSeconds,
} from "./delayed-settlement.ts";

const { deps, db, by, timer, build, read, refused, set } = await testWorld();
const admin = await build.admin();
const { id: sessionId } = await build.runningSession();

/** An open event with one call of $1.00 on each side. */
async function buildRivals() {
  const event = await build.event("open", { sessionId });
  const [ana, ben] = await Promise.all([build.player(), build.player()]);
  const won = await build.call({ userId: ana.id, eventId: event.id, side: "true" });
  const lost = await build.call({ userId: ben.id, eventId: event.id, side: "false" });
  return { event, ana, won, lost };
}

async function readCall(callId: number) {
  const [row] = await db.select().from(calls).where(eq(calls.id, callId));
  return row;
}

const liveSettlements = (eventId: number) =>
  db.select().from(settlements).where(eq(settlements.eventId, eventId));

test("resolving an open event closes it first and pays the pool to the winning side", async () => {
  const { event, won, lost } = await buildRivals();
  const resolved = await by(admin).settle(event.id);
  expect(resolved).toMatchObject({ state: "resolved", result: "true", nextTransition: null, dueAt: null });
  expect(resolved.closedAt).not.toBeNull();
  expect(await readCall(won)).toMatchObject({ state: "resolved", outcome: "won", payoutCents: 200 });
  expect(await readCall(lost)).toMatchObject({ state: "resolved", outcome: "lost", payoutCents: 0 });
  const spots = await read.spots(event.id);
  expect(spots.true).toMatchObject({ state: "closed", won: true });
  expect(spots.false).toMatchObject({ state: "closed", won: false });
});

test("an effective time in the future is refused, and nothing changes", async () => {
  const { event } = await buildRivals();
  const effectiveAt = new Date(Date.now() + 60_000);
  const refusal = await refused(() => by(admin).settle(event.id, "true", { effectiveAt }));
  expect(refusal.details.errors).toEqual({ effectiveAt: ["is invalid"] });
});

test("a correction notifies the players whose payout changes; a void notifies the refunded ones", async () => {
  const { event, ana } = await buildRivals();
  await by(admin).settle(event.id, "void", { reason: "Rained off" });
  expect(await read.told(ana.id)).toMatchObject([
    { kind: "refund", title: "$1.00 back: the question was called off", body: `${event.title} Rained off` },
  ]);
  await by(admin).settle(event.id, "true", { reason: "It was played" });
  expect((await read.told(ana.id)).at(-1)).toMatchObject({
    kind: "correction",
    title: "Result corrected to True: $1.00 more, net +$1.00",
    body: `${event.title} It was played`,
  });
});

test("of two concurrent different results one is settled, and the other is refused", async () => {
  const { event } = await buildRivals();
  const resolve = (actor: BuiltUser, result: "true" | "false") => by(actor).settle(event.id, result);
  const outcomes = await Promise.allSettled([resolve(admin, "true"), resolve(await build.admin(), "false")]);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  const all = await liveSettlements(event.id);
  expect(all).toHaveLength(1);
  expect(all[0]?.result).toBe((await read.event(event.id)).result ?? undefined);
});

/** An event of a running session with calls of two players, in that state. */
async function buildPlayed(state: "open" | "resolved" | "hidden") {
  const session = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId: session.id });
  const [ana, ben] = await Promise.all([build.player(), build.player()]);
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 300 });
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 200 });
  await build.call({ userId: ben.id, eventId, side: "false", wagerCents: 400 });
  if (state === "resolved" || state === "hidden") await timer.settle(eventId);
  if (state === "hidden") await timer.hide(eventId);
  return { session, eventId, ana, ben, event: await read.event(eventId) };
}
const reset = (eventId: number, reason?: string) =>
  resetEvent(deps, { eventId, actor: admin, ...(reason === undefined ? {} : { reason }) });
const untouched = { postedCents: 10_000, heldCents: 0, availableCents: 10_000, owedCents: 0 };

test("a reset refunds the calls of an open event, notifies the players, and starts a new round as a draft", async () => {
  const { session, eventId, ana, ben, event } = await buildPlayed("open");
  const draft = await reset(eventId, "The question was wrong");
  expect(draft).toMatchObject({
    state: "draft",
    round: event.round + 1,
    result: null,
    opensAt: null,
    closesAt: null,
  });
  expect(draft).toMatchObject({ publishedAt: null, openedAt: null, nextTransition: null, dueAt: null });
  for (const player of [ana, ben]) expect(await read.wallet(player.id)).toMatchObject(untouched);
  const rows = await db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["soft_destroyed"]));
  expect(await read.spots(eventId)).toMatchObject({
    true: { state: "closed", won: null, poolCents: 0, callsCount: 0, openedAt: null },
    false: { state: "closed", poolCents: 0 },
  });
  const newest = Math.max(...rows.filter(({ userId }) => userId === ana.id).map(({ id }) => id));
  expect(await read.told(ana.id)).toMatchObject([
    {
      kind: "refund",
      title: "$5.00 back: the host reset it",
      body: `${event.title} The question was wrong`,
      url: `/sessions/${session.slug}/history/${newest}`,
    },
  ]);
  const facts = await db
    .select()
    .from(outbox)
    .where(inArray(outbox.kind, ["call_cancelled", "event_changed"]));
  for (const { id: callId } of rows) {
    expect(facts).toContainEqual(expect.objectContaining({ kind: "call_cancelled", payload: { callId } }));
  }
  const line = await read.lastAudit();
  expect(line).toMatchObject({ action: "reset", actorId: admin.id, reason: "The question was wrong" });
});

test.each(["resolved", "hidden"] as const)("a reset reverses the payouts of a %s event", async (state) => {
  const { eventId, ana, ben, event } = await buildPlayed(state);
  expect(await read.balance(ana.id)).toBe(10_400);
  const draft = await reset(eventId, "Wrong tape");
  expect(draft).toMatchObject({ state: "draft", round: event.round + 1, result: null, resultReason: null });
  for (const player of [ana, ben]) expect(await read.wallet(player.id)).toMatchObject(untouched);
  expect((await read.spots(eventId)).true).toMatchObject({ won: null, resolvedAt: null, poolCents: 0 });
  const body = `${event.title} Wrong tape`;
  const title = "Result withdrawn: $4.00 taken back, net $0.00";
  expect((await read.told(ana.id)).at(-1)).toMatchObject({ kind: "correction", title, body });
  expect((await read.told(ben.id)).at(-1)).toMatchObject({
    title: title.replace("taken back", "more"),
    body,
  });
});

test.each(["open", "resolved", "hidden"] as const)(
  "is refused, and nothing changes, without a reason if money moves: %s",
  async (state) => {
    const { eventId, ana } = await buildPlayed(state);
    const wallet = await read.wallet(ana.id);
    expect((await refused(() => reset(eventId))).details.errors).toEqual({ reason: ["is required"] });
    expect(await read.wallet(ana.id)).toEqual(wallet);
  },
);

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
  await set(sessions, session.id, { settings: { settlementDelaySeconds: 0 } });
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
  expect(await read.lastAudit()).toMatchObject({ actorId: admin.id, action: "withdraw", reason: "A slip" });
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
    expect((await refused(() => by(admin).withdraw(event.id))).details.errors).toEqual({
      stateEvent: [`cannot transition when ${eventStateLabel(state)}`],
    });
  },
);

test("refused, and nothing changes: withdrawing without a pending result", async () => {
  const { eventId } = await buildContest(deps);
  expect((await refused(() => by(admin).withdraw(eventId))).details).toEqual({
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
