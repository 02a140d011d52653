import { expect, test } from "bun:test";
import { createTrueState } from "#client/base/delay/true-state.ts";
import { buildEvent, buildSession, inSeconds, NOW_MS } from "#tests/client/events/action-states.ts";

const shown = buildEvent({
  id: 1,
  state: "open",
  version: 3,
  openedAt: inSeconds(-20),
  closesAt: inSeconds(10),
});

const eventMessage = (changes: Partial<typeof shown>) => ({
  sourceType: "Event",
  eventType: "update",
  detail: { event: { ...shown, ...changes }, version: changes.version ?? 4, serverTime: inSeconds(0) },
});

test("without other news an event closes when the page says", () => {
  const truth = createTrueState();
  expect(truth.closeOf(shown, NOW_MS)).toEqual({ isOpen: true, leftMs: 10_000 });
  expect(truth.closeOf(shown, NOW_MS + 10_000)).toEqual({ isOpen: false, leftMs: 0 });
});

test("a close by the host counts before the page shows it", () => {
  const truth = createTrueState();
  truth.learnMessage(eventMessage({ state: "closed", version: 4 }));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
});

test("a later close counts, whether a message or an answer brings it; an older version does not", () => {
  const truth = createTrueState();
  truth.learnAnswer({ events: [{ ...shown, version: 5, closesAt: inSeconds(40) }] });
  truth.learnMessage(eventMessage({ state: "closed", version: 4 }));
  expect(truth.closeOf(shown, NOW_MS)).toEqual({ isOpen: true, leftMs: 40_000 });
});

test("an event that was reset and opened again takes no calls of the round that the page still shows", () => {
  const truth = createTrueState();
  truth.learnMessage(eventMessage({ version: 6, openedAt: inSeconds(-1), closesAt: inSeconds(30) }));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
});

test("in a pause and after the end of the session no calls are taken, and again when it goes on", () => {
  const truth = createTrueState();
  const session = (state: "running" | "paused" | "stopped", version: number) => ({
    sourceType: "Session",
    eventType: "update",
    detail: { session: buildSession({ id: shown.sessionId ?? 0, state, version }), serverTime: inSeconds(0) },
  });
  truth.learnMessage(session("paused", 2));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
  truth.learnMessage(session("running", 3));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(true);
  truth.learnAnswer(session("stopped", 4).detail);
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
});

test("messages without news about an event are ignored", () => {
  const truth = createTrueState();
  truth.learnMessage({ sourceType: "Presence", detail: {} });
  truth.learnAnswer(null);
  truth.learnAnswer({ events: "none" });
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(true);
});
