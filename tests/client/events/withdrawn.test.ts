import { expect, test } from "bun:test";
import { type ActionState, reduceActionState } from "#client/events/action-state.ts";
import { currentEventAt, RESULT_SHOWN_MS } from "#client/events/current-event.ts";
import { withdrawnWords } from "#client/events/withdrawn-words.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildActionState, buildCall, buildEvent, inSeconds, NOW_MS } from "./action-states.ts";

const won = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(-60) });
const call = buildCall({ id: 5, eventId: 2 });
const open = buildEvent({ id: 2, title: "Skipped?", myCalls: [call] });
const next = buildEvent({ id: 3, state: "visible", opensAt: inSeconds(20), openedAt: null });

/** What the cable says when an event leaves the show: its texts are empty. */
function gone(event: EventView, state: "hidden" | "draft"): SessionMessage {
  const left = {
    ...event,
    title: "",
    state,
    updatedAt: inSeconds(0),
    version: event.version + 1,
    myCalls: [],
  };
  return {
    sourceType: "Event",
    eventType: state === "hidden" ? "hide" : "reset",
    detail: { event: left, serverTime: inSeconds(0), version: left.version },
  };
}

const takeOut = (state: ActionState, event: EventView, to: "hidden" | "draft" = "hidden") =>
  reduceActionState(state, { kind: "message", message: gone(event, to) });

function cardOf(state: ActionState, afterMs = 0) {
  const { event, phase } = currentEventAt(state, NOW_MS + afterMs);
  return { title: event?.title ?? null, phase };
}

test("a skipped question is told as one, and never gives the card back to an older result", () => {
  const state = takeOut(buildActionState([won, open]), open);
  for (const afterMs of [0, RESULT_SHOWN_MS, 3_600_000])
    expect(cardOf(state, afterMs)).toEqual({ title: "Skipped?", phase: "withdrawn" });
  expect(withdrawnWords(state)).toEqual({ title: "Skipped by the host.", hint: "$5.00 is back." });
});

test("so is one that was reset, and one whose message was missed", () => {
  const reset = takeOut(buildActionState([won, open]), open, "draft");
  expect(withdrawnWords(reset)?.title).toBe("Reset by the host.");
  const {
    feed: _feed,
    shares: _shares,
    playersOnline: _online,
    corrected: _corrected,
    ...rest
  } = buildActionState([won]);
  const { ownCalls: _calls, withdrawn: _none, ...snapshot } = rest;
  const missed = reduceActionState(buildActionState([won, open]), {
    kind: "snapshot",
    snapshot: { ...snapshot, asOf: inSeconds(1) },
  });
  expect(cardOf(missed)).toEqual({ title: "Skipped?", phase: "withdrawn" });
});

test("what is played comes first: an open question, the next in its last seconds, a result of this moment", () => {
  const other = buildEvent({ id: 4, title: "Open?" });
  expect(cardOf(takeOut(buildActionState([open, other]), open))).toEqual({ title: "Open?", phase: "open" });
  const state = takeOut(buildActionState([open, next]), open);
  expect(cardOf(state).phase).toBe("withdrawn");
  expect(cardOf(state, RESULT_SHOWN_MS).phase).toBe("visible");
  const fresh = { ...won, resolvedAt: inSeconds(-1) };
  expect(cardOf(takeOut(buildActionState([fresh, open]), open)).phase).toBe("resolved");
});

test("money that the player had taken back before is not said to be back", () => {
  const cancelled = { ...call, id: 6, state: "soft_destroyed" as const };
  const before = reduceActionState(buildActionState([open]), {
    kind: "call",
    call: cancelled,
    asOf: inSeconds(0),
  });
  const after = reduceActionState(takeOut(before, open), {
    kind: "call",
    call: { ...call, state: "soft_destroyed", refundedBy: "skip" },
    asOf: inSeconds(1),
  });
  expect(withdrawnWords(after)?.hint).toBe("$5.00 is back.");
  expect(withdrawnWords(takeOut(buildActionState([next]), next))?.hint).toBe("Does not count.");
});

test("a question that is asked again is played as always, and a result that is hidden is no skip", () => {
  const state = takeOut(buildActionState([won, open]), open, "draft");
  const again = { ...open, title: "Again?", version: 9, myCalls: [] };
  const message: SessionMessage = {
    sourceType: "Event",
    eventType: "open_event",
    detail: { event: again, serverTime: inSeconds(1), version: 9 },
  };
  expect(cardOf(reduceActionState(state, { kind: "message", message }))).toEqual({
    title: "Again?",
    phase: "open",
  });
  expect(takeOut(buildActionState([won]), won).withdrawn).toBeNull();
  const paused = takeOut(buildActionState([open], { state: "paused", pausedAt: inSeconds(0) }), open);
  expect([cardOf(paused).phase, cardOf(paused, RESULT_SHOWN_MS).phase]).toEqual(["withdrawn", "paused"]);
});

test("what the device has seen go is told again after a reload, with the money on it", () => {
  const back = { ...call, state: "soft_destroyed" as const, refundedBy: "skip" as const };
  const state = reduceActionState(buildActionState([won]), {
    kind: "withdrawn",
    withdrawn: { event: open, at: inSeconds(-5), cause: "skip" },
    ownCalls: [{ call: back, asOf: inSeconds(-5) }],
  });
  expect(cardOf(state, RESULT_SHOWN_MS)).toEqual({ title: "Skipped?", phase: "withdrawn" });
  expect(withdrawnWords(state)).toEqual({ title: "Skipped by the host.", hint: "$5.00 is back." });
});
