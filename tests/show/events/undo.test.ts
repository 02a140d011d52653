import { beforeEach, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { createServer } from "#src/server.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resolveEvent, type Verdict } from "#src/show/events/resolve-event.ts";
import { eventAnswer, previewAnswer } from "#src/show/events/schemas.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { buildAdmin, buildCall, buildPlayer, readEvent } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import {
  buildContest,
  clockAt,
  deliverAlarm,
  DELAY_S,
  findSettlements,
  inSeconds,
} from "./delayed-settlement.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const asAdmin = await signedInClient(deps, createServer(deps), admin);

beforeEach(() => clockAt(deps, 0));

const effectiveAt = inSeconds(-5);
const decide = async (eventId: number, verdict: Verdict, actor = admin) => {
  const decided = await resolveEvent(deps, { eventId, actor, ...verdict });
  await payNow(deps, eventId);
  return decided;
};

/** A closed event: Ana called True and Ben False in time; Cleo called True when the answer could be known. */
async function buildLateCall() {
  await clockAt(deps, -20);
  const contest = await buildContest(deps, "open");
  await clockAt(deps, -2);
  const cleo = await buildPlayer(deps);
  await buildCall(deps, { userId: cleo.id, eventId: contest.eventId, side: "true" });
  await clockAt(deps, 0);
  await closeEvent(deps, { eventId: contest.eventId, actor: null });
  return contest;
}

/** The same, resolved True at 0 s without the late call, and paid at 5 s. */
async function buildPaid() {
  const contest = await buildLateCall();
  await decide(contest.eventId, { result: "true", effectiveAt });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, contest.eventId);
  return contest;
}

/** Ana's, Ben's and Cleo's outcome. */
async function outcomesOf(eventId: number) {
  const rows = await deps.pool.db
    .select()
    .from(calls)
    .where(eq(calls.eventId, eventId))
    .orderBy(asc(calls.id));
  return rows.map(({ outcome }) => outcome);
}

test("a correction keeps the effective moment of the result that it corrects: a late call stays refunded", async () => {
  const { eventId } = await buildPaid();
  expect(await outcomesOf(eventId)).toEqual(["won", "lost", "refunded"]);
  await decide(eventId, { result: "false" });
  expect(await outcomesOf(eventId)).toEqual(["lost", "won", "refunded"]);
  await decide(eventId, { result: "void" });
  await decide(eventId, { result: "true" });
  expect(await outcomesOf(eventId)).toEqual(["won", "lost", "refunded"]);
  expect((await findSettlements(deps, eventId)).at(-1)).toMatchObject({ result: "true", effectiveAt });
});

test("a correction with another effective moment uses that; with null all calls count", async () => {
  const { eventId } = await buildPaid();
  await decide(eventId, { result: "true", effectiveAt: null });
  expect(await outcomesOf(eventId)).toEqual(["won", "lost", "won"]);
  expect(await readEvent(deps, eventId)).toMatchObject({ effectiveAt: null });
  await decide(eventId, { result: "false", effectiveAt: inSeconds(-1) });
  expect(await outcomesOf(eventId)).toEqual(["lost", "won", "lost"]);
});

test("a result that replaces a pending one keeps its effective moment too", async () => {
  const { eventId } = await buildLateCall();
  await decide(eventId, { result: "true", effectiveAt });
  expect(await decide(eventId, { result: "false" })).toMatchObject({ pendingResult: "false", effectiveAt });
  expect(await decide(eventId, { result: "false", effectiveAt: null })).toMatchObject({ effectiveAt: null });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, eventId);
  expect(await outcomesOf(eventId)).toEqual(["lost", "won", "lost"]);
});

test("the same result again without an effective moment changes nothing, pending and paid", async () => {
  const { eventId } = await buildLateCall();
  const noted = await decide(eventId, { result: "true", effectiveAt });
  const { version, dueAt } = noted;
  expect(await decide(eventId, { result: "true" })).toMatchObject({ version, dueAt, effectiveAt });
  expect(await decide(eventId, { result: "true", effectiveAt })).toMatchObject({
    version,
    dueAt,
    effectiveAt,
  });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, eventId);
  const paid = await readEvent(deps, eventId);
  await decide(eventId, { result: "true" });
  expect(await readEvent(deps, eventId)).toMatchObject({ version: paid.version, effectiveAt });
  expect(await findSettlements(deps, eventId)).toHaveLength(1);
});

test("a result that was taken back leaves no effective moment to keep", async () => {
  const { eventId } = await buildLateCall();
  await decide(eventId, { result: "true", effectiveAt });
  await withdrawResult(deps, { eventId, actor: admin });
  expect(await readEvent(deps, eventId)).toMatchObject({
    effectiveAt: null,
    decidedAt: null,
    decidedById: null,
  });
  expect(await decide(eventId, { result: "true" })).toMatchObject({ effectiveAt: null });
});

test("the API keeps the effective moment that is left out, and clears it with null", async () => {
  const { eventId } = await buildPaid();
  const patch = async (event: object) => {
    const { body } = await asAdmin.send("PATCH", `/api/v1/events/${eventId}/state`, {
      event: { state_event: "resolve", ...event },
    });
    return v.parse(eventAnswer, body).event.plan?.decided;
  };
  const decided = { at: inSeconds(0).toISOString(), byId: admin.id };
  expect(await patch({ result: false })).toEqual({ ...decided, effectiveAt: effectiveAt.toISOString() });
  expect(await patch({ result: false, effective_at: null })).toEqual({ ...decided, effectiveAt: null });
});

test("a preview uses the effective moment that the result would keep; none if it asks so", async () => {
  const { eventId } = await buildPaid();
  const preview = async (query: string) => {
    const { body } = await asAdmin.get(`/api/v1/events/${eventId}/preview?result=false${query}`);
    return v.parse(previewAnswer, body).preview;
  };
  expect(await preview("")).toMatchObject({ callsWon: 1, callsLost: 1, callsRefunded: 1 });
  expect(await preview("&effective_at=none")).toMatchObject({ callsWon: 1, callsLost: 2, callsRefunded: 0 });
});

test("a correction needs no reason for 10 s from the decision, however late it was paid", async () => {
  const { eventId } = await buildPaid();
  await clockAt(deps, 10);
  expect(await decide(eventId, { result: "false" })).toMatchObject({
    resultReason: "The host put it right at once.",
  });
  await clockAt(deps, 10.001);
  const before = await readEvent(deps, eventId);
  const refusal = await refusalOf(decide(eventId, { result: "void" }));
  expect(refusal.details.errors).toEqual({ reason: ["is required"] });
  expect(await readEvent(deps, eventId)).toMatchObject({ version: before.version, result: "false" });
});

test("another admin needs a reason for a correction at any time, and none for replacing a pending result", async () => {
  const { eventId } = await buildLateCall();
  const other = await buildAdmin(deps);
  await decide(eventId, { result: "true" });
  expect(await decide(eventId, { result: "void" }, other)).toMatchObject({ decidedById: other.id });
  await clockAt(deps, DELAY_S);
  await deliverAlarm(deps, eventId);
  expect((await refusalOf(decide(eventId, { result: "true" }))).details.errors).toEqual({
    reason: ["is required"],
  });
  expect(await decide(eventId, { result: "true" }, other)).toMatchObject({ result: "true" });
});

test("the time without a reason starts again with a result that replaces a pending one", async () => {
  const { eventId } = await buildLateCall();
  await decide(eventId, { result: "true" });
  await clockAt(deps, 4);
  expect(await decide(eventId, { result: "false" })).toMatchObject({ decidedAt: inSeconds(4) });
  await clockAt(deps, 9);
  await deliverAlarm(deps, eventId);
  await clockAt(deps, 14);
  expect(await decide(eventId, { result: "true" })).toMatchObject({ result: "true" });
});

test("a pause does not stop the time without a reason", async () => {
  const { eventId, session } = await buildLateCall();
  await decide(eventId, { result: "true" });
  await pauseSession(deps, { sessionId: session.id, actor: admin });
  await clockAt(deps, 60);
  await resumeSession(deps, { sessionId: session.id, actor: admin });
  await clockAt(deps, 60 + DELAY_S);
  await deliverAlarm(deps, eventId);
  expect((await refusalOf(decide(eventId, { result: "void" }))).status).toBe(422);
});

test("a result that is taken back returns to undecided on all screens at once", async () => {
  const relays = await Relays.open(deps);
  const web = relays.start();
  const { eventId, session } = await buildContest(web);
  await resolveEvent(web, { eventId, actor: admin, result: "true" });
  await relays.sendAndClear(web);
  await withdrawResult(web, { eventId, actor: admin });
  const message = await waitFor(
    "the message",
    () => relays.listener.session(session.id).find(({ sourceType }) => sourceType === "Event") ?? null,
  );
  const undecided = { state: "closed", result: null, pendingResult: null, paysAt: null, settlement: null };
  expect(message).toMatchObject({ eventType: "update", detail: { event: { id: eventId, ...undecided } } });
  await relays.stop();
  relays.listener.stop();
});

test("taking back a paid result is refused and says what can be done instead", async () => {
  const { eventId } = await buildPaid();
  const before = await readEvent(deps, eventId);
  const refusal = await refusalOf(withdrawResult(deps, { eventId, actor: admin }));
  expect(refusal.details).toEqual({
    errors: { stateEvent: ["cannot transition when Resolved"] },
    detail: "The result is not pending any more. Give another result or void it instead.",
  });
  expect(await readEvent(deps, eventId)).toEqual(before);
});
