import { expect, test } from "bun:test";
import { streakText, streakUpTo } from "#client/calls/streak.ts";
import type { View } from "#client/events/view.ts";
import { cuesBetween, momentOf } from "#client/sound-and-vibration/play-cues.ts";
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

test("an action that opens is heard once, and a call is felt when it is placed, not when it is taken back", () => {
  expect(cuesBetween(visible, isOpen)).toEqual(["opens"]);
  expect(cuesBetween(isOpen, momentWith(open, "closing"))).toEqual([]);
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

type Kind = "won" | "right" | "lost" | "refunded" | "even" | "none";

/** Resolved events in their order, with what became of the viewer's call on each. */
function show(...kinds: Kind[]) {
  return kinds.map((kind, index) =>
    buildEvent({
      id: index + 1,
      position: index + 1,
      state: "resolved",
      resolvedAt: inSeconds(index),
      myCalls: callsOf(kind),
    }),
  );
}

function callsOf(kind: Kind) {
  if (kind === "none") return [];
  const won = buildCall({ state: "resolved", outcome: "won", wagerCents: 100, payoutCents: 200 });
  const lost = buildCall({ state: "resolved", outcome: "lost", wagerCents: 100, payoutCents: 0 });
  const refunded = buildCall({ state: "resolved", outcome: "refunded", wagerCents: 100, payoutCents: 100 });
  const right = { ...refunded, refundReason: "no_loser" as const };
  if (kind === "even") return [won, lost];
  return [{ won, right, lost, refunded }[kind]];
}

const streakOf = (...kinds: Kind[]) => {
  const events = show(...kinds);
  const last = events.at(-1);
  return last === undefined ? 0 : streakUpTo(events, last);
};

test("wins in a row are counted back to the last loss; refunds, even results and no call neither break a streak nor count, being right does", () => {
  expect(streakOf("won")).toBe(1);
  expect(streakOf("won", "won", "won")).toBe(3);
  expect(streakOf("won", "lost", "won", "won")).toBe(2);
  expect(streakOf("won", "won", "lost")).toBe(0);
  expect(streakOf("won", "refunded", "won")).toBe(2);
  expect(streakOf("won", "even", "none", "won", "refunded")).toBe(2);
  expect(streakOf("won", "right", "won")).toBe(3);
  expect(streakOf("won", "right", "lost", "right", "right")).toBe(2);
});

test("the text begins with the second win, and only who was right has one", () => {
  const texts = (...kinds: Kind[]) => {
    const events = show(...kinds);
    return events.map((event) => streakText(events, event));
  };
  expect(texts("won", "right", "refunded", "won", "lost")).toEqual(["", "2 in a row", "", "3 in a row", ""]);
});
