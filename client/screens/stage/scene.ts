import { useServerTime } from "#client/base/live/clock.ts";
import type { ActionState } from "#client/events/action-state.ts";
import type { CurrentEvent } from "#client/events/current-event.ts";

/** What fills the big screen. */
export type Scene = "lobby" | "question" | "result" | "between" | "end";

/** A result stays for so long, unless the next question comes. Then the leaders are shown. */
const RESULT_SHOWN_MS = 15_000;
/** The next question is shown so long before it opens. Until then the leaders are, once there are any. */
const QUESTION_SHOWN_MS = 12_000;

/** The scene of a moment. The event and its phase are those of the Action page. */
export function sceneAt(
  { events, leaders }: Pick<ActionState, "events" | "leaders">,
  { event, phase }: CurrentEvent,
  nowMs: number,
): Scene {
  if (phase === "pending") return "lobby";
  if (phase === "stopped") return "end";
  if (event === null) return "between";
  if (phase === "resolved")
    return nowMs - Date.parse(event.resolvedAt ?? "") < RESULT_SHOWN_MS ? "result" : "between";
  const isFar = phase === "visible" && Date.parse(event.opensAt ?? "") - nowMs > QUESTION_SHOWN_MS;
  const hasResults = leaders.length > 0 && events.some(({ state }) => state === "resolved");
  return isFar && hasResults ? "between" : "question";
}

/** The same as time goes on. */
export function useScene(state: ActionState, current: CurrentEvent, renderedAt: string): Scene {
  return useServerTime((nowMs) => sceneAt(state, current, nowMs), renderedAt);
}
