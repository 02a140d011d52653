import { expect } from "bun:test";
import type { EventSnapshot } from "./world.ts";

/** What may come next by itself, by the state that an event stands in. */
const nextTransitionFrom: Record<string, string> = {
  draft: "publish_event",
  visible: "open_event",
  open: "close_event",
  closed: "resolve",
};

/** What comes next for an event fits the state it stands in, its session and its planned moments. */
export function checkSchedule({ event, session }: EventSnapshot): void {
  const { state, nextTransition, dueAt, remainingMs } = event;
  const isPlanned = nextTransition !== null;
  const isPaused = session.state === "paused";
  // Paused, nothing is due and what was due remains; running, it is the other way round.
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

/** What is due to open or close is due at the moment by which calls are judged. */
function checkMoments({ nextTransition, dueAt, opensAt, closesAt }: EventSnapshot["event"]): void {
  if (dueAt === null) return;
  if (nextTransition === "open_event") expect(dueAt).toEqual(opensAt ?? new Date(0));
  if (nextTransition === "close_event") expect(dueAt).toEqual(closesAt ?? new Date(0));
}
