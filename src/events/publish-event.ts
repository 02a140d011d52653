import { events } from "#db/schema/events.ts";
import { sql } from "drizzle-orm";
import type { Deps } from "#src/deps.ts";
import { invalid, type FieldErrors } from "#src/http/refusal.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, withEvent } from "./with-event.ts";

/**
 * Shows a draft to the players. In a running session it opens by itself at its planned time.
 * @throws Refusal 422 unless it is a draft with a question and both labels.
 */
export function publishEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  return withEvent(deps, order, (tx, locked) => {
    requireTransition(locked, "publish_event");
    requireQuestion(locked.event);
    const isLive = locked.session?.state === "running" || locked.session?.state === "paused";
    const opensByItself = isLive && locked.event.opensAt !== null;
    return moveEvent(tx, locked, "publish_event", {
      publishedAt: sql`${locked.at}::timestamptz`,
      nextTransition: opensByItself ? "open_event" : null,
      dueAt: opensByItself ? sql`${events.opensAt}` : null,
    });
  });
}

function requireQuestion(event: EventRow): void {
  const errors: FieldErrors = {};
  for (const field of ["title", "trueLabel", "falseLabel"] as const) {
    if (event[field].trim() === "") errors[field] = ["can't be blank"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
