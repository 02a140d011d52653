import { expect } from "bun:test";
import type { EventSnapshot } from "./world.ts";

/** The timed transition of an event, by its state. */
const nextTransitionFrom: Record<string, string> = {
  draft: "publish_event",
  visible: "open_event",
  open: "close_event",
  closed: "resolve",
};

/** Checks that an event's next transition fits its state, its session and its planned moments. */
export function checkSchedule({ event, session }: EventSnapshot): void {
  const { state, nextTransition, dueAt, remainingMs } = event;
  const isPlanned = nextTransition !== null;
  const isPaused = session.state === "paused";
  // In a paused session a planned transition has remaining time; otherwise it has a due moment.
  expect({ state, due: dueAt !== null, remains: remainingMs !== null }).toEqual({
    state,
    due: isPlanned && !isPaused,
    remains: isPlanned && isPaused,
  });
  if (isPlanned) expect(String(nextTransition)).toBe(nextTransitionFrom[state] ?? "nothing");
  if (state === "open") {
    expect(nextTransition).toBe("close_event");
    expect(["running", "paused"]).toContain(session.state);
  }
  if (event.pendingResult !== null) expect(`${state}, then ${nextTransition}`).toBe("closed, then resolve");
  if (event.result !== null) expect(["resolved", "hidden", "soft_destroyed"]).toContain(state);
  checkMoments(event);
}

/** Opening and closing are due exactly at the moments by which calls are judged. */
function checkMoments({ nextTransition, dueAt, opensAt, closesAt }: EventSnapshot["event"]): void {
  if (dueAt === null) return;
  if (nextTransition === "open_event") expect(dueAt).toEqual(opensAt ?? new Date(0));
  if (nextTransition === "close_event") expect(dueAt).toEqual(closesAt ?? new Date(0));
}
