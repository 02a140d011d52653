import { describe, expect, test } from "bun:test";
import { RESULT_SHOWN_MS, currentEventAt } from "#client/events/current-event.ts";
import { buildEvent, buildActionState, inSeconds, NOW_MS } from "./action-states.ts";

const later = RESULT_SHOWN_MS / 1_000;
const open = buildEvent({ id: 2, closesAt: inSeconds(20) });
const visible = buildEvent({ id: 3, state: "visible", opensAt: inSeconds(12), openedAt: null });
const closed = buildEvent({ id: 1, state: "closed", closedAt: inSeconds(-2) });
const resolved = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(-1) });

function currentOf(events: Parameters<typeof buildActionState>[0], session = {}, nowMs = NOW_MS) {
  const { event, phase } = currentEventAt(buildActionState(events, session), nowMs);
  return { id: event?.id ?? null, phase };
}

describe("which event is on the card", () => {
  test("an open event comes before everything else", () => {
    expect(currentOf([resolved, open, visible])).toEqual({ id: 2, phase: "open" });
  });

  test("of several open events it is the one that closes first", () => {
    const sooner = buildEvent({ id: 5, closesAt: inSeconds(10) });
    expect(currentOf([open, sooner])).toEqual({ id: 5, phase: "open" });
  });

  test("a closed event stays until its result arrives, before the next one", () => {
    expect(currentOf([closed, visible])).toEqual({ id: 1, phase: "closed" });
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

  test("an event without a time does not take the card from a result", () => {
    const byHand = { ...visible, opensAt: null };
    expect(currentOf([closed, byHand]).id).toBe(1);
    expect(currentOf([resolved, byHand]).id).toBe(1);
    expect(currentOf([resolved, byHand], {}, NOW_MS + later * 1_000).id).toBe(3);
  });

  test("without a next event the last result stays", () => {
    expect(currentOf([resolved], {}, NOW_MS + 3_600_000)).toEqual({ id: 1, phase: "resolved" });
  });
});

describe("the phase", () => {
  test("is closing in the last 5 s, and locking from 0 until the server confirms", () => {
    expect(currentOf([open], {}, NOW_MS + 14_999).phase).toBe("open");
    expect(currentOf([open], {}, NOW_MS + 15_000).phase).toBe("closing");
    expect(currentOf([open], {}, NOW_MS + 20_000).phase).toBe("locking");
  });

  test("is paused in a paused session if the event is open or visible, not if it is closed", () => {
    const paused = { state: "paused" as const, pausedAt: inSeconds(0) };
    expect(currentOf([open], paused).phase).toBe("paused");
    expect(currentOf([visible], paused).phase).toBe("paused");
    expect(currentOf([closed], paused).phase).toBe("closed");
  });

  test("is pending before the start, and waiting without events", () => {
    expect(currentOf([], { state: "pending" })).toEqual({ id: null, phase: "pending" });
    expect(currentOf([])).toEqual({ id: null, phase: "waiting" });
  });

  test("is that of the last result in a stopped session, then stopped", () => {
    const stopped = { state: "stopped" as const, stoppedAt: inSeconds(0) };
    expect(currentOf([resolved], stopped)).toEqual({ id: 1, phase: "resolved" });
    expect(currentOf([resolved], stopped, NOW_MS + later * 1_000)).toEqual({ id: null, phase: "stopped" });
  });
});
