import type { EventView } from "#src/events/schemas.ts";

/** The label of the side that won, or "Void"; also while the result is still to be paid. */
export function resultLabel(event: EventView): string {
  if (event.voided || event.pendingResult === "void") return "Void";
  return (event.result ?? event.pendingResult) === true ? event.trueLabel : event.falseLabel;
}
