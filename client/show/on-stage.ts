import type { EventView } from "#src/events/schemas.ts";

/**
 * Chooses the event for the stage: one that waits for the operator's result, else the open one, else the next one, else the
 * last. An event that waits for its result comes first, because it holds players' money.
 * @param events in the order of their positions.
 */
export function findOnStage(events: readonly EventView[]): EventView | null {
  const first = (predicate: (event: EventView) => boolean) => events.find(predicate);
  return (
    first(awaitsResult) ??
    first(({ state }) => state === "open") ??
    first(({ state }) => state === "closed") ??
    first(({ state }) => state === "visible") ??
    first(({ state }) => state === "draft") ??
    events.findLast(({ state }) => state === "resolved") ??
    events.at(-1) ??
    null
  );
}

/** Closed without a result, and its plan does not set one either. */
export function awaitsResult({ state, plan, pendingResult }: EventView): boolean {
  return state === "closed" && pendingResult === null && plan?.autoResult === null;
}

/** Not opened yet, so that its position may still change. */
export function isAhead({ state }: EventView): boolean {
  return state === "draft" || state === "visible";
}
