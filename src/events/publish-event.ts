import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, type FieldErrors } from "#src/base/refusal.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventCommand, type EventRow, isLive, type LockedEvent, withEvent } from "./with-event.ts";

/**
 * Publishes a draft: players see it. In a running session a timer opens it at its planned time.
 * @throws Refusal 422 unless it is a draft with a question and both labels.
 */
export function publishEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, command, publishLockedEvent);
}

/** Publishes an event as part of a larger change, within a transaction that holds its gate. */
export async function publishLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  requireTransition(locked, "publish_event");
  requireQuestion(locked.event);
  const hasOpeningTimer = isLive(locked.session) && locked.event.opensAt !== null;
  return moveEvent(tx, locked, "publish_event", {
    publishedAt: sql`${locked.at}::timestamptz`,
    nextTransition: hasOpeningTimer ? "open_event" : null,
    dueAt: hasOpeningTimer ? sql`${events.opensAt}` : null,
  });
}

function requireQuestion(event: EventRow): void {
  const errors: FieldErrors = {};
  for (const field of ["title", "trueLabel", "falseLabel"] as const) {
    if (event[field].trim() === "") errors[field] = ["can't be blank"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
