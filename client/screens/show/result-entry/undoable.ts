import type { EventResult } from "#db/lists/events.ts";
import { UNDO_WITHIN_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";

/**
 * The ids of the events whose result can be undone, the newest decision first: every pending result, and for some seconds each
 * result that the viewer decided.
 */
export function listUndoable(
  events: readonly EventView[],
  { viewerId, nowMs }: { viewerId: number | undefined; nowMs: number },
): number[] {
  return events
    .filter((event) => event.pendingResult !== null || isFreeToCorrect(event, { viewerId, nowMs }))
    .toSorted((one, other) => decidedMs(other) - decidedMs(one))
    .map(({ id }) => id);
}

/** True while the viewer may correct the paid result without a reason. */
export function isFreeToCorrect(
  event: EventView,
  { viewerId, nowMs }: { viewerId: number | undefined; nowMs: number },
): boolean {
  const { state, plan } = event;
  if (state !== "resolved" || plan?.decided?.byId !== viewerId) return false;
  return nowMs < decidedMs(event) + UNDO_WITHIN_MS;
}

/** When the result was decided, in ms since 1970; 0 without one. */
export function decidedMs({ plan }: EventView): number {
  return Date.parse(plan?.decided?.at ?? "") || 0;
}

/** The result, pending or not; null while the event is undecided. */
export function decidedResult({ pendingResult, result, voided }: EventView): EventResult | null {
  const decided = voided ? "void" : (pendingResult ?? result);
  if (typeof decided !== "boolean") return decided;
  return decided ? "true" : "false";
}
