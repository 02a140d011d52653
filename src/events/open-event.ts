import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { openSpots } from "#src/spots/open-spots.ts";
import { eventStateLabels } from "./contract.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/**
 * Opens a visible event for calls. A timer keeps the planned times, even when it is late. By hand it opens now, for its whole
 * duration.
 * @throws Refusal 422 unless it is visible, and its session (if any) is running.
 */
export function openEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, command, openLockedEvent);
}

/** Opens an event as part of a larger change, within a transaction that holds its gate. */
export async function openLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  requireTransition(locked, "open_event");
  requireRunningSession(locked);
  await openSpots(tx, locked.event.id, locked.at);
  const now = sql`${locked.at}::timestamptz`;
  const opensAt = locked.timed ? sql`coalesce(${events.opensAt}, ${now})` : now;
  const closesAt = sql`${opensAt} + make_interval(secs => ${events.durationSeconds})`;
  return moveEvent(tx, locked, "open_event", {
    opensAt,
    openedAt: now,
    closesAt,
    // An event that was closed, skipped and shown again opens a second time.
    closedAt: null,
    resolveBy: sql`${closesAt} + make_interval(secs => ${events.resolveWithinSeconds})`,
    nextTransition: "close_event",
    dueAt: closesAt,
  });
}

function requireRunningSession({ event, session }: LockedEvent): void {
  if (session === null || session.state === "running") return;
  throw cannotTransitionWhen(eventStateLabels[event.state], "The session is not running.");
}
