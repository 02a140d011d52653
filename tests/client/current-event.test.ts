import { describe, expect, test } from "bun:test";
import { RESULT_SHOWN_MS, currentEventAt } from "#client/action/current-event.ts";
import { buildEvent, buildTable, inSeconds, NOW_MS } from "./action-states.ts";

const later = RESULT_SHOWN_MS / 1_000;
const open = buildEvent({ id: 2, closesAt: inSeconds(20) });
const visible = buildEvent({ id: 3, state: "visible", opensAt: inSeconds(5), openedAt: null });
const closed = buildEvent({ id: 1, state: "closed", closedAt: inSeconds(-2) });
const resolved = buildEvent({ id: 1, state: "resolved", result: true, resolvedAt: inSeconds(-1) });

function sceneOf(events: Parameters<typeof buildTable>[0], session = {}, nowMs = NOW_MS) {
  const { event, phase } = currentEventAt(buildTable(events, session), nowMs);
  return { id: event?.id ?? null, phase };
}

describe("which event is on the card", () => {
  test("an open event comes before everything else", () => {
    expect(sceneOf([resolved, open, visible])).toEqual({ id: 2, phase: "open" });
  });

  test("of several open events it is the one that closes first", () => {
    const sooner = buildEvent({ id: 5, closesAt: inSeconds(10) });
    expect(sceneOf([open, sooner])).toEqual({ id: 5, phase: "open" });
  });

  test("a closed event stays until its result is in, before the next one", () => {
    expect(sceneOf([closed, visible])).toEqual({ id: 1, phase: "closed" });
  });

  test("a result stands for its time, then the next event takes the card", () => {
    expect(sceneOf([resolved, visible])).toEqual({ id: 1, phase: "resolved" });
    expect(sceneOf([resolved, visible], {}, NOW_MS + later * 1_000)).toEqual({ id: 3, phase: "visible" });
  });

  test("where nothing follows, the last result stays", () => {
    expect(sceneOf([resolved], {}, NOW_MS + 3_600_000)).toEqual({ id: 1, phase: "resolved" });
  });
});

describe("what the card says of it", () => {
  test("the last 5 s press, and at 0 the card waits for the server", () => {
    expect(sceneOf([open], {}, NOW_MS + 14_999).phase).toBe("open");
    expect(sceneOf([open], {}, NOW_MS + 15_000).phase).toBe("closing");
    expect(sceneOf([open], {}, NOW_MS + 20_000).phase).toBe("locking");
  });

  test("a paused session pauses what is open or about to open, and nothing that is decided", () => {
    const paused = { state: "paused" as const, pausedAt: inSeconds(0) };
    expect(sceneOf([open], paused).phase).toBe("paused");
    expect(sceneOf([visible], paused).phase).toBe("paused");
    expect(sceneOf([closed], paused).phase).toBe("closed");
  });

  test("before the start it is pending, without events it waits", () => {
    expect(sceneOf([], { state: "pending" })).toEqual({ id: null, phase: "pending" });
    expect(sceneOf([])).toEqual({ id: null, phase: "waiting" });
  });

  test("a stopped session first shows its last result, then that it is over", () => {
    const stopped = { state: "stopped" as const, stoppedAt: inSeconds(0) };
    expect(sceneOf([resolved], stopped)).toEqual({ id: 1, phase: "resolved" });
    expect(sceneOf([resolved], stopped, NOW_MS + later * 1_000)).toEqual({ id: null, phase: "stopped" });
  });
});
