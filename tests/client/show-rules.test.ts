import { describe, expect, test } from "bun:test";
import { describeLine } from "#client/show/describe-line.ts";
import { findOnStage, awaitsResult } from "#client/show/on-stage.ts";
import { orderIn, orderFields, orderMoved } from "#client/show/order-fields.ts";
import { payingText } from "#client/show/paying-text.ts";
import { driftMs, formatDrift, originalPlan, outlook } from "#client/show/schedule.ts";
import { whyNotAct, whyNotAsk, whyNotFlag, whyNotMove, whyNotMoveSession } from "#client/show/why-not.ts";
import type { EventPlan, EventView } from "#src/events/schemas.ts";
import { buildCall, buildEvent, buildSession, inSeconds } from "./action-states.ts";

function planOf(changes: Partial<EventPlan> = {}): EventPlan {
  return {
    startMode: "after_previous",
    offsetSeconds: 0,
    resolveWithinSeconds: 60,
    autoResult: null,
    nextTransition: null,
    dueAt: null,
    remainingMs: null,
    paying: null,
    decided: null,
    ...changes,
  };
}

const planned = (id: number, changes: Partial<EventView> = {}) =>
  buildEvent({ id, state: "draft", openedAt: null, createdAt: inSeconds(-120), plan: planOf(), ...changes });

describe("the reason on a disabled button", () => {
  const session = buildSession();
  test("follows the transition tables", () => {
    expect(whyNotMove(session, buildEvent({ state: "draft" }), "publish_event")).toBeNull();
    expect(whyNotMove(session, buildEvent({ state: "open" }), "publish_event")).toBe(
      "Publish is for draft actions. This one is open.",
    );
    expect(whyNotMove(session, buildEvent({ state: "hidden" }), "hide")).toBe(
      "Hide is for visible or resolved actions. This one is hidden.",
    );
  });
  test("is that the session does not run, for opening an event", () => {
    const visible = buildEvent({ state: "visible" });
    expect(whyNotMove(session, visible, "open_event")).toBeNull();
    expect(whyNotMove(buildSession({ state: "paused" }), visible, "open_event")).toBe(
      "The session is paused.",
    );
    expect(whyNotAct(buildSession({ state: "paused" }), visible, "advance")).toBe("The session is paused.");
    expect(whyNotAct(buildSession({ state: "pending" }), visible, "skip")).toBe(
      "The session has not started.",
    );
    expect(whyNotAsk(buildSession({ state: "stopped" }))).toBe("The session is over.");
  });
  test("is that nothing is planned, for a delay", () => {
    expect(whyNotAct(session, planned(1), "delay")).toBe("Nothing is planned for it.");
    const due = planned(1, { plan: planOf({ nextTransition: "open_event", dueAt: inSeconds(9) }) });
    expect(whyNotAct(session, due, "delay")).toBeNull();
  });
  test("is the viewer's own call, for deciding the event outside a small room", () => {
    const staked = buildEvent({ state: "closed", myCalls: [buildCall()] });
    const why = "You have a call on it. Somebody else must do this.";
    expect(whyNotMove(session, staked, "resolve")).toBe(why);
    expect(whyNotMove(session, staked, "reset")).toBe(why);
    expect(whyNotAct(session, staked, "skip")).toBe(why);
    const small = buildSession({ settings: { ...session.settings, smallRoom: true } });
    expect(whyNotMove(small, staked, "resolve")).toBeNull();
    const cancelled = buildEvent({ state: "closed", myCalls: [buildCall({ state: "soft_destroyed" })] });
    expect(whyNotMove(session, cancelled, "resolve")).toBeNull();
  });
  test("is that no result is pending, for a withdrawal, and that there are calls, for a deletion", () => {
    const closed = buildEvent({ state: "closed", pendingResult: null });
    expect(whyNotMove(session, closed, "withdraw")).toBe("No result waits to be paid.");
    expect(whyNotMove(session, { ...closed, pendingResult: true }, "withdraw")).toBeNull();
    const called = buildEvent({ state: "visible", callsCount: 2 });
    expect(whyNotMove(session, called, "destroy")).toBe("Somebody has called on it.");
  });
  test("follows the session's state, events and active flag", () => {
    expect(whyNotMoveSession(buildSession({ state: "pending" }), "start")).toBeNull();
    expect(whyNotMoveSession(buildSession({ state: "pending", eventsCount: 0 }), "start")).toBe(
      "Add an action first.",
    );
    expect(whyNotMoveSession(session, "start")).toBe("It is running.");
    expect(whyNotFlag(session, "activate")).toBe("Players are taken here already.");
    expect(whyNotFlag(buildSession({ active: false }), "deactivate")).toBe("Players are not taken here.");
    expect(whyNotFlag(buildSession({ state: "stopped", active: false }), "activate")).toBe("It is stopped.");
  });
});

describe("which event is on stage", () => {
  const closed = (id: number, plan: Partial<EventPlan> = {}) =>
    planned(id, { state: "closed", pendingResult: null, plan: planOf(plan) });
  test("one that waits for the operator's result comes before an open one", () => {
    const open = planned(2, { state: "open" });
    expect(findOnStage([closed(1), open, planned(3)])?.id).toBe(1);
    expect(findOnStage([closed(1, { autoResult: "random" }), open])?.id).toBe(2);
    expect(findOnStage([{ ...closed(1), pendingResult: true }, open])?.id).toBe(2);
  });
  test("then the next one, and in the end the last one", () => {
    const resolved = [planned(1, { state: "resolved" }), planned(2, { state: "resolved" })];
    expect(findOnStage([...resolved, planned(3), planned(4, { state: "visible" })])?.id).toBe(4);
    expect(findOnStage([...resolved, planned(3)])?.id).toBe(3);
    expect(findOnStage(resolved)?.id).toBe(2);
    expect(findOnStage([])).toBeNull();
  });
  test("an event without a result after the show still waits for the operator", () => {
    expect(awaitsResult(closed(1, { nextTransition: "resolve", dueAt: inSeconds(86_400) }))).toBe(true);
  });
});

describe("the order of the events that have not opened", () => {
  const events = [planned(1, { state: "open" }), planned(7), planned(8, { state: "visible" }), planned(9)];
  test("moves by one position, except at the ends", () => {
    expect(orderMoved(events, 8, -1)).toBe("8 7 9");
    expect(orderMoved(events, 8, 1)).toBe("7 9 8");
    expect(orderMoved(events, 7, -1)).toBeNull();
    expect(orderMoved(events, 9, 1)).toBeNull();
    expect(orderMoved(events, 1, 1)).toBeNull();
  });
  test("is sent to the API by a form", () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(orderFields([9, 7, 8]))) form.set(name, value);
    expect(orderIn(form)).toEqual([
      { id: 9, position: 1 },
      { id: 7, position: 2 },
      { id: 8, position: 3 },
    ]);
  });
});

describe("the plan and the actual times", () => {
  const session = buildSession({ startedAt: inSeconds(-60) });
  const first = planned(1, { durationSeconds: 20 });
  const second = planned(2, { durationSeconds: 10, plan: planOf({ offsetSeconds: 5 }) });
  const third = planned(3, { durationSeconds: 10, plan: planOf({ startMode: "offset", offsetSeconds: 90 }) });
  test("each event opens after the previous one or at its own time; later additions have no plan", () => {
    const addedLater = planned(4, { createdAt: inSeconds(-10) });
    const plan = originalPlan(session, [first, second, addedLater, third]);
    expect([...plan].map(([id, { opensInMs }]) => [id, opensInMs / 1_000])).toEqual([
      [1, 0],
      [2, 25],
      [3, 90],
    ]);
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
    expect(outlook(session, [{ ...moved, state: "resolved" }], plan)).toBeNull();
    expect(outlook(buildSession({ state: "stopped" }), [moved], plan)).toBeNull();
  });
});

test("an audit line says who did what, also for acts of the clock", () => {
  const line = {
    id: 1,
    actor: { id: 7, username: "ana" },
    action: "resolve",
    subject: { type: "event" as const, id: 1, title: "Question 1" },
    before: {},
    after: { state: "resolved", result: "true" },
    reason: null,
    at: inSeconds(0),
  };
  expect(describeLine(line)).toBe("ana resolved as true");
  expect(describeLine({ ...line, actor: null, action: "close_event" })).toBe("The clock closed");
  expect(describeLine({ ...line, action: "delay", after: { shiftMs: -10_000 } })).toBe(
    "ana delayed by -0:10",
  );
  expect(describeLine({ ...line, action: "grow_wings" })).toBe("ana grow wings");
});

test("the progress of a payment is shown for many calls, and not for a result that is paid at once", () => {
  const paying = (callsCount: number) =>
    payingText(
      buildEvent({ state: "resolved", plan: planOf({ paying: { paidCallsCount: 100, callsCount } }) }),
    );
  expect(paying(35_000)).toBe("Paying 100 of 35,000");
  expect(paying(500)).toBeNull();
  expect(payingText(buildEvent({ state: "resolved", plan: planOf() }))).toBeNull();
});
