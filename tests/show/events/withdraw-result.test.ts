import { beforeEach, describe, expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import { eventStates } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { changeEventState } from "#src/show/events/change-event-state.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { readWallet } from "#tests/support/books.ts";
import { buildAdmin, buildEvent, readEvent } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import {
  buildContest,
  clockAt,
  DELAY_S,
  findSettlements,
  inSeconds,
  deliverAlarm,
} from "./delayed-settlement.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

beforeEach(() => clockAt(deps, 0));

const resolve = (eventId: number, result: "true" | "false" | "void", actor = admin) =>
  resolveAndPay(deps, { eventId, actor, result });

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
