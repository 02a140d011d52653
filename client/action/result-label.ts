import type { EventView } from "#src/events/schemas.ts";

/** How an event ended, or will where that is still to be paid, in its own words: the label of the side that won, or "Void". */
export function resultLabel(event: EventView): string {
  if (event.voided || event.pendingResult === "void") return "Void";
  return (event.result ?? event.pendingResult) === true ? event.trueLabel : event.falseLabel;
}
