import type { EventView } from "#src/show/events/schemas.ts";
import * as texts from "./action-texts.ts";

/** The label of the side that won, or "Void"; also while the result is still to be paid. */
export function resultLabel(event: EventView): string {
  if (event.voided || event.pendingResult === "void") return texts.voidLabel;
  return (event.result ?? event.pendingResult) === true ? event.trueLabel : event.falseLabel;
}

/**
 * Why a result refunded everybody; null where the event does not tell: it was called off, or the calls came after the moment
 * that decided it.
 */
export function refundCause({ voided, pool }: Pick<EventView, "voided" | "pool">): string | null {
  return !voided && pool.trueCents * pool.falseCents === 0 ? texts.otherSideEmpty : null;
}
