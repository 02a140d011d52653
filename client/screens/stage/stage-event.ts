import type { ActionState } from "#client/events/action-state.ts";
import { type CurrentEvent, currentEventAt } from "#client/events/current-event.ts";
import { paceLimits } from "#src/show/events/pace/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/** So long a result is shown on the big screen before anything but an open question: from the decision on, and once it is paid. */
export const RESULT_LEAST_MS = paceLimits.pauseSeconds * 1_000;

/**
 * What is on the big screen: as on the Action page, but a result comes before the next question and before others that still wait for
 * theirs. Players have read it on their phones; a room looks up.
 */
export function stageEventAt(
  state: Pick<ActionState, "session" | "events" | "withdrawn">,
  nowMs: number,
): CurrentEvent {
  const current = currentEventAt(state, nowMs);
  if (current.phase !== "visible" && current.phase !== "closed") return current;
  const { settlementDelaySeconds } = state.session.settings;
  const [latest] = state.events
    .map((event) => ({ event, sinceMs: decidedMs(event, settlementDelaySeconds * 1_000) }))
    .filter(({ sinceMs }) => nowMs - sinceMs < RESULT_LEAST_MS)
    .toSorted((one, other) => other.sinceMs - one.sinceMs);
  if (latest === undefined) return current;
  return { event: latest.event, phase: latest.event.state === "resolved" ? "resolved" : "closed" };
}

/** Since when a result is known, or paid; never for an event without one, and for one that waits in a pause. */
function decidedMs({ state, pendingResult, paysAt, resolvedAt }: EventView, delayMs: number): number {
  const isPending = state === "closed" && pendingResult !== null && paysAt !== null;
  if (isPending) return Date.parse(paysAt) - delayMs;
  return state === "resolved" && resolvedAt !== null ? Date.parse(resolvedAt) : Number.NEGATIVE_INFINITY;
}
