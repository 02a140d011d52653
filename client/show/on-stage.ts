import type { EventView } from "#src/events/schemas.ts";

/**
 * The event that the show is about now: what waits for a result of ours before what is open, then what comes, then what was
 * last. Calls that are still taken can wait, players whose money is held should not.
 * @param events in the order of their positions.
 */
export function findOnStage(events: readonly EventView[]): EventView | null {
  const first = (wanted: (event: EventView) => boolean) => events.find(wanted);
  return (
    first(waitsForUs) ??
    first(({ state }) => state === "open") ??
    first(({ state }) => state === "closed") ??
    first(({ state }) => state === "visible") ??
    first(({ state }) => state === "draft") ??
    events.findLast(({ state }) => state === "resolved") ??
    events.at(-1) ??
    null
  );
}

/** Closed, and nobody has said how it ended: neither we nor its plan. */
export function waitsForUs({ state, plan, pendingResult }: EventView): boolean {
  return state === "closed" && pendingResult === null && plan?.autoResult === null;
}

/** Not opened yet, so that its place in the order may still change. */
export function isAhead({ state }: EventView): boolean {
  return state === "draft" || state === "visible";
}
