import { useServerTime } from "#client/base/live/clock.ts";
import type { ActionState } from "#client/events/action-state.ts";
import { type CurrentEvent, UP_NEXT_MS } from "#client/events/current-event.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { RESULT_LEAST_MS } from "./stage-event.ts";

/** What fills the big screen. */
export type Scene = "lobby" | "question" | "result" | "between" | "end";

/** A paid result stays for so long where no question is to come. Else, and then, the leaders are shown. */
const RESULT_SHOWN_MS = 15_000;

/** The scene of a moment. The next question is shown as long before it opens as on the Action page; until then the leaders are. */
export function sceneAt(
  { events, leaders }: Pick<ActionState, "events" | "leaders">,
  { event, phase }: CurrentEvent,
  nowMs: number,
): Scene {
  if (phase === "pending") return "lobby";
  if (phase === "stopped") return "end";
  if (event === null) return "between";
  if (phase === "closed" && event.pendingResult !== null) return "result";
  if (phase === "resolved") return isShownStill(event, events, nowMs) ? "result" : "between";
  if (phase !== "visible" || leaders.length === 0) return "question";
  return isFar(event, nowMs) && events.some(({ state }) => state === "resolved") ? "between" : "question";
}

function isFar({ opensAt }: EventView, nowMs: number): boolean {
  return Date.parse(opensAt ?? "") - nowMs > UP_NEXT_MS;
}

function isShownStill({ resolvedAt }: EventView, events: readonly EventView[], nowMs: number): boolean {
  const isNextKnown = events.some(({ state, opensAt }) => state === "visible" && opensAt !== null);
  return nowMs - Date.parse(resolvedAt ?? "") < (isNextKnown ? RESULT_LEAST_MS : RESULT_SHOWN_MS);
}

/** The same as time goes on. */
export function useScene(state: ActionState, current: CurrentEvent, renderedAt: string): Scene {
  return useServerTime((nowMs) => sceneAt(state, current, nowMs), renderedAt);
}
