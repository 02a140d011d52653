import type { StartMode } from "#db/lists/events.ts";
import { open, publish } from "./event-transitions.ts";
import { createDraft, isLive, type Model } from "./model.ts";
import { planWaiting } from "./plan-waiting.ts";
import { DONE, invalid } from "./replies.ts";

export type AddedEvent = {
  ask: boolean;
  /** Undefined: it is not part of the plan of a session that has started. */
  startMode: StartMode | undefined;
  offsetSeconds: number;
  durationSeconds: number;
};

/** Adds a draft at the end of the running order. With `ask` it is published and opened at once. */
export function addEvent(model: Model, { ask, startMode, ...terms }: AddedEvent): string {
  if (model.session === "stopped") return invalid("Session is invalid");
  if (ask && model.session !== "running") return invalid("Ask is invalid");
  const event = createDraft({ ...plan, ...terms, startMode: startMode ?? "after_previous" });
  model.events.push(event);
  if (isLive(model) && (startMode === "after_previous" || startMode === "after_result")) {
    event.next = { step: "publish", atMs: null };
  }
  if (!ask) {
    planWaiting(model);
    return DONE;
  }
  publish(model, event);
  return open(model, event, { planned: false });
}

/** The defaults of a new event. */
const plan = {
  leadSeconds: 0,
  resolveWithinSeconds: 60,
  autoResult: null,
  minWagerCents: 1,
  maxWagerCents: null,
} as const;
