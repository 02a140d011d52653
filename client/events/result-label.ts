import * as words from "#client/base/format/words.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./action-texts.ts";

/** The label of the side that won, or "Called off"; also while the result is still to be paid. */
export function resultLabel(event: EventView): string {
  return labelOf(event, resultOf(event));
}

/** The same of any result of the event. */
export function labelOf({ trueLabel, falseLabel }: EventView, result: EventResult): string {
  const labels: Readonly<Record<EventResult, string>> = {
    true: trueLabel,
    false: falseLabel,
    void: words.calledOff,
  };
  return labels[result];
}

/** The event's result as the list of results names it, also while it is still to be paid; only of an event that has one. */
export function resultOf({ voided, result, pendingResult }: EventView): EventResult {
  if (voided || pendingResult === "void") return "void";
  return `${(result ?? pendingResult) === true}`;
}

/**
 * Why a result refunded everybody; null where the event does not tell: it was called off, or the calls came after the moment
 * that decided it.
 */
export function refundCause(event: EventView): string | null {
  const { voided, pool } = event;
  if (voided || pool.trueCents * pool.falseCents > 0) return null;
  const rightCents = resultOf(event) === "true" ? pool.trueCents : pool.falseCents;
  return rightCents > 0 ? texts.otherSideEmpty : "Nobody called it";
}
