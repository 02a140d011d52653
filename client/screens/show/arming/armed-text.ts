import * as words from "#client/base/format/words.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import { numberOf } from "../stage/on-stage.ts";

/** The question about what is armed, and the button that does it. */
export function armedTexts(events: readonly EventView[], event: EventView, act: ArmedAct) {
  const number = numberOf(events, event);
  if (act === "skip") {
    const label = event.callsCount > 0 ? "Skip and refund" : "Skip it";
    return { title: `Skip ${number}?`, label, intent: "skip", className: "btn bad" };
  }
  const text = resultText(event, act);
  const title =
    event.state === "resolved" ? `Correct ${number} to ${text}?` : `Resolve ${number} as ${text}?`;
  const label = act === "void" ? "Void and refund" : `Pay out ${text}`;
  return { title, label, intent: "resolve", className: "btn primary" };
}

/** The side's own label, or "Void". */
export function resultText(event: EventView, result: EventResult): string {
  const labels: Readonly<Record<EventResult, string>> = {
    true: event.trueLabel,
    false: event.falseLabel,
    void: words.voidResult,
  };
  return labels[result];
}
