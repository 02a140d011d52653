import { expect, test } from "bun:test";
import type { View } from "#client/events/view.ts";
import { cuesBetween, momentOf } from "#client/sound-and-vibration/cues.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildActionState, buildCall, buildEvent, inSeconds } from "../events/action-states.ts";

const open = buildEvent({ id: 1, state: "open", openedAt: inSeconds(-5), myCalls: [] });
const call = buildCall({ id: 7, eventId: 1, state: "placed", outcome: null });
const settled = (outcome: "won" | "lost" | "refunded") =>
  buildEvent({
    id: 1,
    state: "resolved",
    openedAt: inSeconds(-5),
    resolvedAt: inSeconds(0),
    myCalls: [
      buildCall({
        id: 7,
        eventId: 1,
        state: "resolved",
        outcome,
        wagerCents: 100,
        payoutCents: { won: 250, lost: 0, refunded: 100 }[outcome],
      }),
    ],
  });

function momentWith(event: EventView, phase: View["phase"], events = [event]) {
  const state = buildActionState(events);
  return momentOf({ state: { ...state, events }, event, phase });
}

const visible = momentWith({ ...open, state: "visible", openedAt: null }, "visible");
const isOpen = momentWith(open, "open");
const called = momentWith({ ...open, myCalls: [call] }, "open");

test("what a page shows when it is opened is not heard", () => {
  expect(cuesBetween(null, momentWith(settled("won"), "resolved"))).toEqual([]);
});

test("an action that opens is heard once", () => {
  expect(cuesBetween(visible, isOpen)).toEqual(["opens"]);
  expect(cuesBetween(isOpen, momentWith(open, "closing"))).toEqual([]);
});

test("a call is felt when it is placed, and not when it is taken back", () => {
  expect(cuesBetween(isOpen, called)).toEqual(["placed"]);
  expect(cuesBetween(called, isOpen)).toEqual([]);
});

test("a win and a loss are heard, a refund is not", () => {
  const closed = momentWith({ ...open, state: "closed", myCalls: [call] }, "closed");
  expect(cuesBetween(closed, momentWith(settled("won"), "resolved"))).toEqual(["won"]);
  expect(cuesBetween(closed, momentWith(settled("lost"), "resolved"))).toEqual(["lost"]);
  expect(cuesBetween(closed, momentWith(settled("refunded"), "resolved"))).toEqual([]);
});

test("a win is heard also when the next action has the card already, together with its opening", () => {
  const next = buildEvent({ id: 2, position: 2, state: "open", openedAt: inSeconds(0), myCalls: [] });
  const closed = momentWith({ ...open, state: "closed", myCalls: [call] }, "closed");
  expect(cuesBetween(closed, momentWith(next, "open", [settled("won"), next]))).toEqual(["opens", "won"]);
});

test("a corrected result is heard again", () => {
  const before = momentWith(settled("won"), "resolved");
  expect(cuesBetween(before, momentWith(settled("lost"), "resolved"))).toEqual(["lost"]);
  expect(cuesBetween(before, before)).toEqual([]);
});
