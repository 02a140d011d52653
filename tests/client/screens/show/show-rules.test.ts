import { describe, expect, test } from "bun:test";
import {
  driftMs,
  formatDrift,
  originalPlan,
  outlook,
  startWords,
  laterBy,
  pausedForMs,
} from "#client/running-order/schedule.ts";
import { takesBackOwn } from "#client/running-order/show-texts.ts";
import { listNext } from "#client/screens/show/health/health-panel.tsx";
import {
  disabledReasonForAct,
  disabledReasonForAsking,
  disabledReasonForFlag,
  disabledReasonForMove,
  disabledReasonForSessionMove,
  disabledReasonForRetiming,
} from "#client/screens/show/running/disabled-reason.ts";
import {
  awaitsResult,
  findOnStage,
  listWaiting,
  payingText,
  voidsItself,
} from "#client/screens/show/running/on-stage.ts";
import { orderMoved } from "#client/screens/show/running/perform-act.ts";
import { heldOn, takenBackAt } from "#client/screens/show/running/way-back.tsx";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import {
  buildEvent,
  buildPlan,
  buildSession,
  inSeconds,
  buildCall,
  NOW_MS,
} from "#tests/client/events/action-states.ts";

const planned = (id: number, changes: Partial<EventView> = {}) =>
  buildEvent({
    id,
    state: "draft",
    openedAt: null,
    createdAt: inSeconds(-120),
    plan: buildPlan(),
    ...changes,
  });

const paused = buildSession({ state: "paused" });

test("the reason on a disabled button is the state of the session, its events and its flag, or what the event lacks or has", () => {
  const session = buildSession();
  const visible = buildEvent({ state: "visible" });
  expect(disabledReasonForMove(session, visible, "open_event")).toBeNull();
  expect(disabledReasonForMove(paused, visible, "open_event")).toBe("The session is paused.");
  expect(disabledReasonForAct(paused, visible, "advance")).toBe("The session is paused.");
  expect(disabledReasonForAct(buildSession({ state: "pending" }), visible, "skip")).toBe(
    "The session has not started.",
  );
  expect(disabledReasonForAsking(buildSession({ state: "stopped" }))).toBe("The session is over.");
  expect(disabledReasonForAct(session, planned(1), "delay")).toBe("Nothing is planned for it.");
  const due = planned(1, { plan: buildPlan({ nextTransition: "open_event", dueAt: inSeconds(9) }) });
  expect(disabledReasonForAct(session, due, "delay")).toBeNull();
  const closed = buildEvent({ state: "closed", pendingResult: null });
  expect(disabledReasonForMove(session, closed, "withdraw")).toBe("No result waits to be paid.");
  expect(disabledReasonForMove(session, { ...closed, pendingResult: true }, "withdraw")).toBeNull();
  const called = buildEvent({ state: "visible", callsCount: 2 });
  expect(disabledReasonForMove(session, called, "destroy")).toBe("Somebody has called on it.");
  expect(disabledReasonForSessionMove(buildSession({ state: "pending" }), "start")).toBeNull();
  expect(disabledReasonForSessionMove(buildSession({ state: "pending", eventsCount: 0 }), "start")).toBe(
    "Add an action first.",
  );
  expect(disabledReasonForSessionMove(session, "start")).toBe("It is running.");
  expect(disabledReasonForFlag(session, "activate")).toBe("Players are sent here already.");
  expect(disabledReasonForFlag(buildSession({ active: false }), "deactivate")).toBe(
    "Players are not sent here.",
  );
  expect(disabledReasonForFlag(buildSession({ state: "stopped", active: false }), "activate")).toBe(
    "It is stopped.",
  );
});

test("on stage is the open event, else the last one until it is decided, then the next one, an older one without a result, and the last one", () => {
  const closed = (id: number, plan: Partial<EventPlan> = {}) =>
    planned(id, { state: "closed", pendingResult: null, plan: buildPlan(plan) });
  const resolved = (id: number) => planned(id, { state: "resolved", openedAt: inSeconds(id - 100) });
  const idOf = (events: readonly EventView[]) => findOnStage(events)?.id;
  const open = planned(2, { state: "open", closesAt: inSeconds(20) });
  expect(idOf([closed(1), open, planned(3)])).toBe(2);
  expect(idOf([closed(1), open, planned(3, { state: "open", closesAt: inSeconds(10) })])).toBe(3);
  const visible = planned(3, { state: "visible", opensAt: inSeconds(5) });
  const old = closed(1);
  const last = { ...closed(2), openedAt: inSeconds(-30) };
  expect(idOf([old, last, visible])).toBe(2);
  expect(idOf([old, { ...last, pendingResult: true }, visible])).toBe(2);
  expect(idOf([old, resolved(2), visible])).toBe(3);
  const over = [resolved(1), resolved(2)];
  const soon = planned(5, { state: "visible", opensAt: inSeconds(5) });
  const later = planned(4, { state: "visible", opensAt: inSeconds(60) });
  expect(idOf([...over, planned(3), later, soon])).toBe(5);
  expect(idOf([...over, planned(3)])).toBe(3);
  expect(idOf([{ ...closed(1), openedAt: inSeconds(-200) }, resolved(2)])).toBe(1);
  expect(idOf(over)).toBe(2);
  expect(idOf([])).toBeUndefined();
});

test("the events without a result wait for the operator in the order of their close, also after the show, but for those that void themselves", () => {
  const session = buildSession();
  const closed = (id: number, changes: Partial<EventView> = {}, plan: Partial<EventPlan> = {}) =>
    planned(id, { state: "closed", pendingResult: null, callsCount: 2, plan: buildPlan(plan), ...changes });
  const waiting = [
    closed(1, { closedAt: inSeconds(-10) }),
    closed(2, { closedAt: inSeconds(-90) }),
    closed(3, { closedAt: inSeconds(-50), pendingResult: true }),
    closed(4, { closedAt: inSeconds(-50) }, { autoResult: "random" }),
    planned(5, { state: "open" }),
  ];
  expect(listWaiting(waiting, session).map(({ id }) => id)).toEqual([2, 1]);
  const plan = { nextTransition: "resolve", dueAt: inSeconds(86_400) } as const;
  expect(awaitsResult(closed(1, {}, plan), session)).toBe(true);
  const settings = { ...session.settings, voidUncalled: true };
  expect(awaitsResult(closed(1, { callsCount: 0 }, plan), { settings })).toBe(false);
  expect(voidsItself(closed(1, { callsCount: 0 }, plan), { settings })).toBe(true);
  expect(awaitsResult(closed(1, {}, plan), { settings })).toBe(true);
  expect(awaitsResult(closed(1, { callsCount: 0 }), { settings })).toBe(true);
});

test("the order of the events that have not opened moves by one position, except at the ends", () => {
  const events = [planned(1, { state: "open" }), planned(7), planned(8, { state: "visible" }), planned(9)];
  expect(orderMoved(events, 8, -1)).toBe("8 7 9");
  expect(orderMoved(events, 8, 1)).toBe("7 9 8");
  expect(orderMoved(events, 7, -1)).toBeNull();
  expect(orderMoved(events, 9, 1)).toBeNull();
  expect(orderMoved(events, 1, 1)).toBeNull();
});

describe("the plan and the actual times", () => {
  const session = buildSession({ startedAt: inSeconds(-60) });
  const first = planned(1, { durationSeconds: 20 });
  const second = planned(2, { durationSeconds: 10, plan: buildPlan({ offsetSeconds: 5 }) });
  const atNinety = buildPlan({ startMode: "offset", offsetSeconds: 90 });
  const third = planned(3, { durationSeconds: 10, plan: atNinety });
  test("each event opens after the previous one or at its own time; later additions have no plan", () => {
    const addedLater = planned(4, { createdAt: inSeconds(-10) });
    const plan = originalPlan(session, [first, second, addedLater, third]);
    expect([...plan].map(([id, { opensInMs }]) => [id, opensInMs / 1_000])).toEqual([
      [1, 0],
      [2, 25],
      [3, 90],
    ]);
  });
  test("an event that waits for a result or for the host has no planned time, and none that follows it", () => {
    const waits = planned(5, {
      opensAt: null,
      plan: buildPlan({ startMode: "after_result", offsetSeconds: 8 }),
    });
    const byHand = planned(6, { opensAt: null, plan: buildPlan({ startMode: "by_hand" }) });
    const follows = planned(7, { opensAt: null, plan: buildPlan({ offsetSeconds: 8 }) });
    const late = buildSession({ startedAt: inSeconds(-60), startLeadSeconds: 10 });
    const plan = originalPlan(late, [first, waits, byHand, follows, third]);
    expect([...plan].map(([id, { opensInMs }]) => [id, opensInMs / 1_000])).toEqual([
      [1, 10],
      [3, 100],
    ]);
    const pending = buildSession({ state: "pending" });
    const order = [first, { ...second, state: "hidden" as const }, waits, byHand, follows];
    const show = { session: pending, events: order, planned: originalPlan(pending, [first]) };
    expect(order.map((event) => startWords(show, event))).toEqual([
      null,
      null,
      "0:08 after result of 1",
      "by hand",
      "0:08 after 4",
    ]);
    // In a live session only what is part of the plan starts by itself.
    expect(startWords({ ...show, session: late }, follows)).toBeNull();
    expect(startWords({ ...show, session: late }, byHand)).toBe("by hand");
  });
  test("drift is the difference to the plan", () => {
    const plan = originalPlan(session, [first, second, third]);
    const late = { ...second, openedAt: inSeconds(-60 + 25 + 7) };
    expect(driftMs(session, late, plan.get(2))).toBe(7_000);
    expect(driftMs(session, second, plan.get(2))).toBeNull();
    expect([formatDrift(7_000), formatDrift(-80_000), formatDrift(120)]).toEqual(["+0:07", "-1:20", "+0:00"]);
  });
  test("the show ends with the last event that is still to close", () => {
    const moved = { ...third, closesAt: inSeconds(-60 + 100 + 30) };
    const plan = originalPlan(session, [first, moved]);
    expect(outlook(session, [first, moved], plan)).toEqual({ endsAt: inSeconds(70), behindMs: 30_000 });
    const byHand = planned(6, { opensAt: null, plan: buildPlan({ startMode: "by_hand" }) });
    expect(outlook(session, [first, moved, byHand], plan)).toEqual({ endsAt: null, behindMs: 30_000 });
    expect(outlook(session, [{ ...moved, state: "resolved" }], plan)).toBeNull();
    expect(outlook(buildSession({ state: "stopped" }), [moved], plan)).toBeNull();
  });
});

test("the progress of a payment is shown for many calls, and not for a result that is paid at once", () => {
  const paying = (callsCount: number) =>
    payingText(
      buildEvent({ state: "resolved", plan: buildPlan({ paying: { paidCallsCount: 100, callsCount } }) }),
    );
  expect(paying(35_000)).toBe("Paying 100 of 35,000");
  expect(paying(500)).toBeNull();
  expect(payingText(buildEvent({ state: "resolved", plan: buildPlan() }))).toBeNull();
});

test("Pause, Stop and Skip are offered also to who has a call, and say what comes back", () => {
  const session = buildSession();
  const own = (terms = {}) => buildCall({ state: "placed", wagerCents: 150, ...terms });
  const open = buildEvent({
    state: "open",
    closesAt: inSeconds(60),
    myCalls: [own(), own({ side: "false" })],
  });
  for (const name of ["pause", "stop"] as const)
    expect(disabledReasonForSessionMove(session, name)).toBeNull();
  for (const state of ["open", "closed"] as const)
    expect(disabledReasonForAct(session, { ...open, state }, "skip")).toBeNull();
  const backAt = (events: (typeof open)[], terms = {}, nowMs = Date.parse(inSeconds(0))) =>
    takenBackAt({ ...session, ...terms }, events, nowMs);
  expect(backAt([open, { ...open, id: 2, myCalls: [own({ state: "soft_destroyed" })] }])).toEqual({
    callsCount: 2,
    cents: 300,
  });
  const none = { callsCount: 0, cents: 0 };
  expect(backAt([{ ...open, state: "closed" }])).toEqual(none);
  expect(backAt([open], { settings: { ...session.settings, smallRoom: true } })).toEqual(none);
  // As far as a player may take back a call.
  expect(backAt([open], {}, Date.parse(inSeconds(56)))).toEqual(none);
  const placedAt = inSeconds(-20);
  const held = { ...open, myCalls: [own({ placedAt }), own({ placedAt: inSeconds(-5) })] };
  expect(backAt([held], { state: "paused", pausedAt: inSeconds(0) })).toEqual({ callsCount: 1, cents: 150 });
  expect(heldOn({ ...open, state: "closed" })).toEqual({ callsCount: 2, cents: 300 });
  expect(heldOn({ ...open, myCalls: [own({ state: "soft_destroyed" })] })).toEqual(none);
  expect([takesBackOwn(1, 100), takesBackOwn(2, 300)]).toEqual([
    "Your call of $1.00 is taken back.",
    "Your 2 calls of $3.00 are taken back.",
  ]);
});

test("the reason on a button is the viewer's own call, for deciding the event outside a small room", () => {
  const session = buildSession();
  const staked = buildEvent({ state: "closed", myCalls: [buildCall()] });
  const why = "You have a call on it. Somebody else must do this.";
  expect(disabledReasonForMove(session, staked, "resolve")).toBe(why);
  expect(disabledReasonForMove(session, staked, "reset")).toBe(why);
  const open = { ...staked, state: "open" as const };
  expect(disabledReasonForMove(session, open, "close_event")).toBe(why);
  expect(disabledReasonForAct(session, open, "advance")).toBe(why);
  expect(disabledReasonForAct(session, open, "delay")).toBe(why);
  expect(disabledReasonForRetiming(session, open)).toBe(why);
  const small = buildSession({ settings: { ...session.settings, smallRoom: true } });
  expect(disabledReasonForMove(small, staked, "resolve")).toBeNull();
  const cancelled = buildEvent({ state: "closed", myCalls: [buildCall({ state: "soft_destroyed" })] });
  expect(disabledReasonForMove(session, cancelled, "resolve")).toBeNull();
});

test("with each second of a pause the show ends later, and so do all planned times", () => {
  const session = buildSession({ startedAt: inSeconds(-60), state: "paused", pausedAt: inSeconds(0) });
  const last = buildEvent({
    state: "draft",
    openedAt: null,
    createdAt: inSeconds(-120),
    durationSeconds: 20,
    closesAt: inSeconds(30),
    plan: buildPlan(),
  });
  const end = outlook(session, [last], originalPlan(session, [last]));
  const after = (seconds: number) => pausedForMs(session, NOW_MS + seconds * 1_000);
  expect(end && [0, 0.4, 60, 61.9].map((seconds) => laterBy(end, after(seconds)))).toEqual([
    { endsAt: inSeconds(30), behindMs: 70_000 },
    { endsAt: inSeconds(30), behindMs: 70_000 },
    { endsAt: inSeconds(90), behindMs: 130_000 },
    { endsAt: inSeconds(91), behindMs: 131_000 },
  ]);
  expect(laterBy({ endsAt: null, behindMs: 0 }, 5_000)).toEqual({ endsAt: null, behindMs: 5_000 });
  expect(pausedForMs(buildSession(), NOW_MS)).toBe(0);
});

const timed = (id: number, given: Partial<EventPlan>) => buildEvent({ id, plan: buildPlan(given) });

test("the next transitions are in the order of their times or of what is left, and what waits has none", () => {
  const close = timed(7, { nextTransition: "close_event", dueAt: inSeconds(20) });
  const show = timed(8, { nextTransition: "publish_event", dueAt: inSeconds(5) });
  const next = (...events: EventView[]) => listNext(events).map(({ event, number }) => [event.id, number]);
  expect(next(timed(6, {}), close, show)).toEqual([
    [8, 3],
    [7, 2],
  ]);
  expect(next(timed(1, { nextTransition: "publish_event" }), buildEvent({ plan: null }))).toEqual([]);
  const later = timed(1, { nextTransition: "close_event", remainingMs: 9_000 });
  expect(next(later, timed(2, { nextTransition: "open_event", remainingMs: 4_000 }))).toEqual([
    [2, 2],
    [1, 1],
  ]);
});
