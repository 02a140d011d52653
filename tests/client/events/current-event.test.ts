import { expect, test } from "bun:test";
import { type ActionState, reduceActionState } from "#client/events/action-state.ts";
import { choicesAt, chosenEventAt, RESULT_SHOWN_MS, currentEventAt } from "#client/events/current-event.ts";
import { withdrawnWords } from "#client/events/result-label.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { buildEvent, buildActionState, inSeconds, NOW_MS, buildCall } from "./action-states.ts";

const later = RESULT_SHOWN_MS / 1_000;
const open = buildEvent({ id: 2, closesAt: inSeconds(20) });
const visible = buildEvent({ id: 3, state: "visible", opensAt: inSeconds(12), openedAt: null });
const closed = buildEvent({ id: 1, state: "closed", closedAt: inSeconds(-2) });
const resolved = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(-1) });

function currentOf(events: Parameters<typeof buildActionState>[0], session = {}, nowMs = NOW_MS) {
  const { event, phase } = currentEventAt(buildActionState(events, session), nowMs);
  return { id: event?.id ?? null, phase };
}

test("an open event comes before everything else", () => {
  expect(currentOf([resolved, open, visible])).toEqual({ id: 2, phase: "open" });
});

test("a result is shown for its time, then the next event follows", () => {
  expect(currentOf([resolved, visible])).toEqual({ id: 1, phase: "resolved" });
  expect(currentOf([resolved, visible], {}, NOW_MS + later * 1_000)).toEqual({ id: 3, phase: "visible" });
});

test("the next event takes the card 5 s before it opens, whatever the one before waits for", () => {
  for (const before of [closed, { ...resolved, resolvedAt: inSeconds(6) }]) {
    expect(currentOf([before, visible], {}, NOW_MS + 6_999).id).toBe(1);
    expect(currentOf([before, visible], {}, NOW_MS + 7_000)).toEqual({ id: 3, phase: "visible" });
  }
});

test("in a pause nothing comes nearer", () => {
  const paused = { state: "paused" as const, pausedAt: inSeconds(0) };
  expect(currentOf([closed, visible], paused, NOW_MS + 60_000)).toEqual({ id: 1, phase: "closed" });
});

test("the phase is closing in the last 5 s, and locking from 0 until the server confirms", () => {
  expect(currentOf([open], {}, NOW_MS + 14_999).phase).toBe("open");
  expect(currentOf([open], {}, NOW_MS + 15_000).phase).toBe("closing");
  expect(currentOf([open], {}, NOW_MS + 20_000).phase).toBe("locking");
});

test("the phase is paused in a paused session if the event is open or visible, not if it is closed", () => {
  const paused = { state: "paused" as const, pausedAt: inSeconds(0) };
  expect(currentOf([open], paused).phase).toBe("paused");
  expect(currentOf([visible], paused).phase).toBe("paused");
  expect(currentOf([closed], paused).phase).toBe("closed");
});

test("the phase is that of the last result in a stopped session, then stopped", () => {
  const stopped = { state: "stopped" as const, stoppedAt: inSeconds(0) };
  expect(currentOf([resolved], stopped)).toEqual({ id: 1, phase: "resolved" });
  expect(currentOf([resolved], stopped, NOW_MS + later * 1_000)).toEqual({ id: null, phase: "stopped" });
});

const won = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(-60) });
const call = buildCall({ id: 5, eventId: 2 });
const openGone = buildEvent({ id: 2, title: "Skipped?", myCalls: [call] });
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
  const state = takeOut(buildActionState([won, openGone]), openGone);
  for (const afterMs of [0, RESULT_SHOWN_MS, 3_600_000])
    expect(cardOf(state, afterMs)).toEqual({ title: "Skipped?", phase: "withdrawn" });
  expect(withdrawnWords(state)).toEqual({ title: "Skipped by the host.", hint: "$5.00 is back." });
});

test("so is one that was reset, and one whose message was missed", () => {
  const reset = takeOut(buildActionState([won, openGone]), openGone, "draft");
  expect(withdrawnWords(reset)?.title).toBe("Reset by the host.");
  const {
    feed: _feed,
    shares: _shares,
    playersOnline: _online,
    corrected: _corrected,
    ...rest
  } = buildActionState([won]);
  const { ownCalls: _calls, withdrawn: _none, ...snapshot } = rest;
  const missed = reduceActionState(buildActionState([won, openGone]), {
    kind: "snapshot",
    snapshot: { ...snapshot, asOf: inSeconds(1) },
  });
  expect(cardOf(missed)).toEqual({ title: "Skipped?", phase: "withdrawn" });
});

test("what is played comes first: an open question, the next in its last seconds, and what was decided after the skip", () => {
  const other = buildEvent({ id: 4, title: "Open?" });
  expect(cardOf(takeOut(buildActionState([openGone, other]), openGone))).toEqual({
    title: "Open?",
    phase: "open",
  });
  const state = takeOut(buildActionState([openGone, next]), openGone);
  expect(cardOf(state).phase).toBe("withdrawn");
  expect(cardOf(state, RESULT_SHOWN_MS).phase).toBe("visible");
  const resolvedIn = (seconds: number) => {
    const fresh = { ...won, resolvedAt: inSeconds(seconds) };
    return cardOf(takeOut(buildActionState([fresh, openGone]), openGone), 2_000).phase;
  };
  expect([resolvedIn(-1), resolvedIn(1)]).toEqual(["withdrawn", "resolved"]);
});

test("money that the player had taken back before is not said to be back", () => {
  const cancelled = { ...call, id: 6, state: "soft_destroyed" as const };
  const before = reduceActionState(buildActionState([openGone]), {
    kind: "call",
    call: cancelled,
    asOf: inSeconds(0),
  });
  const after = reduceActionState(takeOut(before, openGone), {
    kind: "call",
    call: { ...call, state: "soft_destroyed", refundedBy: "skip" },
    asOf: inSeconds(1),
  });
  expect(withdrawnWords(after)?.hint).toBe("$5.00 is back.");
  expect(withdrawnWords(takeOut(buildActionState([next]), next))?.hint).toBe("Does not count.");
});

test("a question that is asked again is played as always, and a result that is hidden is no skip", () => {
  const state = takeOut(buildActionState([won, openGone]), openGone, "draft");
  const again = { ...openGone, title: "Again?", version: 9, myCalls: [] };
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
  const paused = takeOut(buildActionState([openGone], { state: "paused", pausedAt: inSeconds(0) }), openGone);
  expect([cardOf(paused).phase, cardOf(paused, RESULT_SHOWN_MS).phase]).toEqual(["withdrawn", "paused"]);
});

test("what the device has seen go is told again after a reload, with the money on it", () => {
  const back = { ...call, state: "soft_destroyed" as const, refundedBy: "skip" as const };
  const state = reduceActionState(buildActionState([won]), {
    kind: "withdrawn",
    withdrawn: { event: openGone, at: inSeconds(-5), cause: "skip" },
    ownCalls: [{ call: back, asOf: inSeconds(-5) }],
  });
  expect(cardOf(state, RESULT_SHOWN_MS)).toEqual({ title: "Skipped?", phase: "withdrawn" });
  expect(withdrawnWords(state)).toEqual({ title: "Skipped by the host.", hint: "$5.00 is back." });
});

test("questions that are open for days give way to all that is played, and are chosen by the player while nothing else is", () => {
  const DAY_S = 86_400;
  const derby = buildEvent({ id: 11, durationSeconds: 3 * DAY_S, closesAt: inSeconds(2 * DAY_S) });
  const final = buildEvent({ id: 12, durationSeconds: 9 * DAY_S, closesAt: inSeconds(5 * DAY_S) });
  for (const played of [open, closed, resolved, visible])
    expect(currentOf([derby, played]).id).toBe(played.id);
  const over = { ...resolved, resolvedAt: inSeconds(-later - 1) };
  expect(currentOf([over, final, derby])).toEqual({ id: 11, phase: "open" });
  const state = buildActionState([final, derby, resolved].map((event) => ({ ...event })));
  const afterResult = NOW_MS + later * 1_000;
  const idsAt = (nowMs: number) => choicesAt(state, nowMs).map(({ id }) => id);
  expect(idsAt(NOW_MS)).toEqual([]);
  expect(idsAt(afterResult)).toEqual([11, 12]);
  const chosenAt = (nowMs: number, id: number | null) => chosenEventAt(state, nowMs, id).event?.id;
  expect(chosenAt(afterResult, 12)).toBe(12);
  expect(chosenAt(afterResult, null)).toBe(11);
  expect(chosenAt(afterResult, resolved.id)).toBe(11);
  expect(chosenAt(NOW_MS, 12)).toBe(resolved.id);
  const besides = (played: EventView, id: number | null) =>
    chosenEventAt(buildActionState([final, derby, played]), NOW_MS, id);
  const far = { ...visible, opensAt: inSeconds(3_600) };
  for (const played of [{ ...closed, closedAt: inSeconds(-90) }, far, { ...visible, opensAt: null }]) {
    expect(besides(played, 12)).toEqual({ event: final, phase: "open" });
    expect(besides(played, null).event?.id).toBe(played.id);
  }
  for (const played of [open, visible, closed]) expect(besides(played, 12).event?.id).toBe(played.id);
});
