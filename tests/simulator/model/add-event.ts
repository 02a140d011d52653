import { open, publish } from "./event-transitions.ts";
import { createDraft, type Model } from "./model.ts";
import { DONE, invalid } from "./replies.ts";

/** Adds a draft at the end of the running order. With `ask` it is published and opened at once. */
export function addEvent(
  model: Model,
  { ask, durationSeconds }: { ask: boolean; durationSeconds: number },
): string {
  if (model.session === "stopped") return invalid("Session is invalid");
  if (ask && model.session !== "running") return invalid("Ask is invalid");
  const event = createDraft({ ...plan, durationSeconds });
  model.events.push(event);
  if (!ask) return DONE;
  publish(model, event);
  return open(model, event, { planned: false });
}

/** The defaults of a new event. */
const plan = {
  startMode: "after_previous",
  offsetSeconds: 0,
  leadSeconds: 0,
  resolveWithinSeconds: 60,
  autoResult: null,
  minWagerCents: 1,
  maxWagerCents: null,
} as const;
