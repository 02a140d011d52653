import type { EventView } from "#src/events/contract.ts";

/** How an event ended, in its own words: the label of the side that won, or "Void". */
export function resultLabel(event: EventView): string {
  if (event.voided) return "Void";
  return event.result === true ? event.trueLabel : event.falseLabel;
}
