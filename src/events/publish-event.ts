import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, type FieldErrors } from "#src/base/refusal.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, isLive, type LockedEvent, withEvent } from "./with-event.ts";

/**
 * Shows a draft to the players. In a running session it opens by itself at its planned time.
 * @throws Refusal 422 unless it is a draft with a question and both labels.
 */
export function publishEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  return withEvent(deps, order, publishLockedEvent);
}

/** Publishes an event within a transaction that holds its gate, as part of a larger change. */
export async function publishLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  requireTransition(locked, "publish_event");
  requireQuestion(locked.event);
  const opensByItself = isLive(locked.session) && locked.event.opensAt !== null;
  return moveEvent(tx, locked, "publish_event", {
    publishedAt: sql`${locked.at}::timestamptz`,
    nextTransition: opensByItself ? "open_event" : null,
    dueAt: opensByItself ? sql`${events.opensAt}` : null,
  });
}

function requireQuestion(event: EventRow): void {
  const errors: FieldErrors = {};
  for (const field of ["title", "trueLabel", "falseLabel"] as const) {
    if (event[field].trim() === "") errors[field] = ["can't be blank"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
