import { expect, test } from "bun:test";
import { decidedResult, isFreeToCorrect, listUndoable } from "#client/screens/show/verdict/undoable.ts";
import { effectiveChoices } from "#client/screens/show/verdict/verdict-fields.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { buildEvent, buildPlan, inSeconds, NOW_MS } from "#tests/client/events/action-states.ts";

const HOST = 7;
const host = { viewerId: HOST, nowMs: NOW_MS };

/** An event whose result was decided so many seconds ago. */
function decided(secondsAgo: number, changes: Partial<EventView>, terms: Partial<EventPlan["decided"]> = {}) {
  const decision = { at: inSeconds(-secondsAgo), byId: HOST, effectiveAt: null, ...terms };
  return buildEvent({ state: "resolved", result: true, plan: buildPlan({ decided: decision }), ...changes });
}

test("a pending result can be undone by every host, however long it waits", () => {
  const pending = { state: "closed", result: null, pendingResult: true } as const;
  const events = [decided(90, { id: 1, ...pending }, { byId: 8 }), decided(2, { id: 2, ...pending })];
  expect(listUndoable(events, host)).toEqual([2, 1]);
});

test("a paid result can be undone for 10 s after its decision by the host who decided it", () => {
  const events = [
    decided(9, { id: 1 }),
    decided(10, { id: 2 }),
    decided(3, { id: 3 }, { byId: 8 }),
    decided(1, { id: 4 }, { byId: null }),
    decided(6, { id: 5, voided: true, result: null }),
    buildEvent({ id: 6, state: "closed" }),
  ];
  expect(listUndoable(events, host)).toEqual([5, 1]);
  expect(isFreeToCorrect(decided(9, {}), { ...host, viewerId: undefined })).toBe(false);
});

test("the result of an event is the pending one before it is paid; none while it is undecided", () => {
  expect(decidedResult(buildEvent())).toBeNull();
  expect(decidedResult(buildEvent({ pendingResult: "void" }))).toBe("void");
  expect(decidedResult(buildEvent({ pendingResult: false }))).toBe("false");
  expect(decidedResult(buildEvent({ result: true }))).toBe("true");
  expect(decidedResult(buildEvent({ voided: true }))).toBe("void");
});

test("another result keeps the effective moment by default, and can have none", () => {
  const labels = ({ closedAt, plan }: EventView) =>
    effectiveChoices({ closedAt, decidedAt: plan?.decided?.effectiveAt ?? null }).map(({ value, label }) => [
      value,
      label,
    ]);
  const closed = { closedAt: inSeconds(-20) };
  expect(labels(buildEvent()).slice(0, 2)).toEqual([
    ["", "All calls"],
    ["5", "-5 s"],
  ]);
  expect(labels(decided(1, closed)).at(0)).toEqual(["", "Close time"]);
  expect(labels(decided(1, closed, { effectiveAt: inSeconds(-25) })).slice(0, 2)).toEqual([
    ["", "As before"],
    ["all", "Close time"],
  ]);
});
