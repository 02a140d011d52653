import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import {
  type EventOrder,
  type EventRow,
  isLive,
  type LockedEvent,
  showTime,
  withEvent,
} from "./with-event.ts";

/**
 * Shows a hidden event again: resolved where it was resolved, else visible. It opens by itself where its planned time still
 * lies ahead.
 * @throws Refusal 422 unless it is hidden.
 */
export function showHiddenEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  return withEvent(deps, order, (tx, locked) => {
    requireTransition(locked, "show");
    if (locked.event.result !== null) {
      return moveEvent(tx, locked, "show", { state: "resolved", nextTransition: null, dueAt: null });
    }
    const opens = opensByItself(locked);
    return moveEvent(tx, locked, "show", {
      publishedAt: sql`coalesce(${events.publishedAt}, ${locked.at}::timestamptz)`,
      nextTransition: opens ? "open_event" : null,
      dueAt: opens ? sql`${events.opensAt}` : null,
    });
  });
}

function opensByItself(locked: LockedEvent): boolean {
  const { event, session } = locked;
  if (!isLive(session)) return false;
  return event.opensAt !== null && event.opensAt.getTime() > Date.parse(showTime(locked));
}
