import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { closeCalls } from "#db/ledger/close-calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/deps.ts";
import { closeSpots } from "#src/spots/close-spots.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, type LockedEvent, showTime, withEvent } from "./with-event.ts";

/**
 * Ends the calling on an open event. What the clock has refused since `closesAt` becomes visible with it.
 * @throws Refusal 422 unless it is open.
 */
export function closeEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  return withEvent(deps, order, closeLockedEvent);
}

/** Closes an event within a transaction that holds its gate, as part of a larger change. */
export async function closeLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  requireTransition(locked, "close_event");
  await closeSpots(tx, locked.event.id, locked.at);
  await closeCalls(tx, locked.event.id);
  const closedAt = sql`${locked.at}::timestamptz`;
  const showNow = sql`${showTime(locked)}::timestamptz`;
  const resolveBy = sql`least(${events.closesAt}, ${showNow}) + make_interval(secs => ${events.resolveWithinSeconds})`;
  const resolvesByItself = locked.event.autoResult !== null;
  return moveEvent(tx, locked, "close_event", {
    closedAt,
    resolveBy,
    nextTransition: resolvesByItself ? "resolve" : null,
    dueAt: resolvesByItself ? resolveBy : null,
  });
}
