import { beforeEach, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { outbox } from "#db/schema/outbox.ts";
import { GRACE_MAX_MS } from "#src/show/events/contract.ts";
import { resolveEvent, type Verdict, withdrawResult } from "#src/show/events/resolve-event.ts";
import { eventAnswer, previewAnswer } from "#src/show/events/schemas.ts";
import { Relays } from "#tests/live/relay/relays.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildContest,
  clockAt,
  DELAY_S,
  deliverAlarm,
  findSettlements,
  inSeconds,
} from "./delayed-settlement.ts";

const { deps, db, by, timer, build, read, refused, signedIn } = await testWorld();
const [admin, asAdmin] = await signedIn.admin();

beforeEach(() => clockAt(deps, 0));

const effectiveAt = inSeconds(-5);
const decide = async (eventId: number, verdict: Verdict, actor = admin) => {
  const decided = await resolveEvent(deps, { eventId, actor, ...verdict });
  await timer.pay(eventId);
  return decided;
};

/** A closed event: Ana called True and Ben False in time; Cleo called True when the answer could be known. */
async function buildLateCall() {
  await clockAt(deps, -20);
  const contest = await buildContest(deps, "open");
  await clockAt(deps, -2);
  const cleo = await build.player();
  await build.call({ userId: cleo.id, eventId: contest.eventId, side: "true" });
  await clockAt(deps, 0);
  await timer.close(contest.eventId);
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
  const rows = await db.select().from(calls).where(eq(calls.eventId, eventId)).orderBy(asc(calls.id));
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
  expect(await read.event(eventId)).toMatchObject({ effectiveAt: null });
  await decide(eventId, { result: "false", effectiveAt: inSeconds(-1) });
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
  const paid = await read.event(eventId);
  await decide(eventId, { result: "true" });
  expect(await read.event(eventId)).toMatchObject({ version: paid.version, effectiveAt });
  expect(await findSettlements(deps, eventId)).toHaveLength(1);
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
    return (await asAdmin.read(`/api/v1/events/${eventId}/preview?result=false${query}`, previewAnswer))
      .preview;
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
  const refusal = await refused(() => decide(eventId, { result: "void" }));
  expect(refusal.details.errors).toEqual({ reason: ["is required"] });
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
  expect((await refused(() => by(admin).withdraw(eventId))).details).toEqual({
    errors: { stateEvent: ["cannot transition when Resolved"] },
    detail: "The result is not pending any more. Give another result or void it instead.",
  });
});

const host = await build.admin();
const other = await build.admin();
/** What a page asks for on a good connection. */
const GRACE_MS = 500;
const GRACE_S = GRACE_MS / 1_000;

/** The event, and how much was written about all; without the token of its last lock. */
async function recorded(eventId: number) {
  const { fence: _, ...event } = await read.event(eventId);
  return { event, lines: await db.$count(audit), facts: await db.$count(outbox) };
}

type Asked = { actor?: typeof host; result?: "true" | "false"; graceMs?: number };
const resolve = (eventId: number, { actor = host, result = "true", graceMs = GRACE_MS }: Asked = {}) =>
  by(actor).resolve(eventId, result, { graceMs });

test("a result waits for the time that its answer takes, too, and is paid then and not before", async () => {
  const { eventId, balance } = await buildContest(deps);
  expect(await resolve(eventId)).toMatchObject({ dueAt: inSeconds(DELAY_S + GRACE_S) });
  await clockAt(deps, DELAY_S + GRACE_S / 2);
  expect(await deliverAlarm(deps, eventId)).toBeGreaterThan(0);
  expect(await read.event(eventId)).toMatchObject({ state: "closed", pendingResult: "true" });
  await clockAt(deps, DELAY_S + GRACE_S);
  await deliverAlarm(deps, eventId);
  expect(await read.event(eventId)).toMatchObject({ state: "resolved" });
  expect(await balance()).toBe(10_100);
});

test("for who decided it the delay begins again once the answer is there, and the result can be taken back until its end", async () => {
  const { eventId, balance } = await buildContest(deps);
  const { version } = await resolve(eventId);
  await clockAt(deps, 3);
  const later = await resolve(eventId);
  expect(later).toMatchObject({
    state: "closed",
    pendingResult: "true",
    decidedAt: inSeconds(0),
    dueAt: inSeconds(3 + DELAY_S + GRACE_S),
    version: version + 1,
  });
  await clockAt(deps, 3 + DELAY_S);
  await deliverAlarm(deps, eventId);
  expect(await by(host).withdraw(eventId)).toMatchObject({ pendingResult: null, dueAt: null });
  expect(await balance()).toBe(10_000);
});

test("it begins again as often as it is asked for, and ends in time all the same", async () => {
  const { eventId } = await buildContest(deps);
  await resolve(eventId, { graceMs: GRACE_MAX_MS });
  const latest = inSeconds(DELAY_S + (2 * GRACE_MAX_MS) / 1_000);
  for (const seconds of [4, 8, 12, 14.5]) {
    await clockAt(deps, seconds);
    expect((await resolve(eventId, { graceMs: GRACE_MAX_MS })).dueAt?.getTime()).toBeLessThanOrEqual(
      latest.getTime(),
    );
  }
  expect((await read.event(eventId)).dueAt).toEqual(latest);
});

test.each<[string, Asked]>([
  ["by another host", { actor: other }],
  ["without a grace, as programs send it", { graceMs: 0 }],
])("the same result again %s changes nothing", async (_, again) => {
  const { eventId } = await buildContest(deps);
  await resolve(eventId);
  await clockAt(deps, 3);
  const before = await recorded(eventId);
  await resolve(eventId, again);
  expect(await recorded(eventId)).toEqual(before);
});

test("in a pause, in which nothing is paid, and once it is paid the same result again changes nothing", async () => {
  const { eventId, session } = await buildContest(deps);
  await resolve(eventId);
  const noted = await buildContest(deps);
  await by(host).pause(noted.session.id);
  expect(await resolve(noted.eventId)).toMatchObject({ dueAt: null, remainingMs: DELAY_S * 1_000 });
  await by(host).pause(session.id);
  const paused = await recorded(eventId);
  await resolve(eventId);
  expect(await recorded(eventId)).toEqual(paused);
  const paid = await buildContest(deps);
  await resolve(paid.eventId);
  await clockAt(deps, DELAY_S + GRACE_S);
  await deliverAlarm(deps, paid.eventId);
  const before = await recorded(paid.eventId);
  await resolve(paid.eventId);
  expect(await recorded(paid.eventId)).toEqual(before);
});
