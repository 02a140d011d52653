import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import {
  type EventCommand,
  type EventRow,
  isLive,
  type LockedEvent,
  sessionTime,
  withEvent,
} from "./with-event.ts";

/**
 * Shows a hidden event again: as resolved if it has a result, otherwise as visible. A timer opens it if its planned opening
 * is in the future.
 * @throws Refusal 422 unless it is hidden.
 */
export function showHiddenEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, (tx, locked) => {
    requireTransition(locked, "show");
    if (locked.event.result !== null) {
      return moveEvent(tx, locked, "show", { state: "resolved", nextTransition: null, dueAt: null });
    }
    const opens = hasOpeningTimer(locked);
    return moveEvent(tx, locked, "show", {
      publishedAt: sql`coalesce(${events.publishedAt}, ${locked.at}::timestamptz)`,
      nextTransition: opens ? "open_event" : null,
      dueAt: opens ? sql`${events.opensAt}` : null,
    });
  });
}

function hasOpeningTimer(locked: LockedEvent): boolean {
  const { event, session } = locked;
  if (!isLive(session)) return false;
  return event.opensAt !== null && event.opensAt.getTime() > Date.parse(sessionTime(locked));
}
