import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { closeCalls } from "#db/ledger/close-calls.ts";
import { events } from "#db/schema/events.ts";
import { closeSpots } from "#src/spots/close-spots.ts";
import { moveEvents, requireTransition } from "./move-event.ts";
import { type EventRow, type LockedEvent, sessionTime } from "./with-event.ts";
import { createBatchedVerb } from "./with-events.ts";

/**
 * Closes an open event for calls. Calls that arrive after `closesAt` are refused by the clock even before this transition.
 * Concurrent closes share a transaction.
 * @throws Refusal 422 unless it is open.
 */
export const closeEvent = createBatchedVerb("close_event", closeLockedEvents);

/** Closes an event as part of a larger change, within a transaction that holds its gate. */
export async function closeLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  const [closed] = await closeLockedEvents(tx, [locked]);
  if (closed === undefined) throw new Error("closeLockedEvents returned no row");
  return closed;
}

/**
 * Closes events within a transaction that holds their gates. Their sessions must share one clock: none is paused, or all
 * events belong to one session.
 */
export async function closeLockedEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  for (const each of locked) requireTransition(each, "close_event");
  const ids = locked.map(({ event }) => event.id);
  const showNow = sql`${sessionTime(first)}::timestamptz`;
  const resolveBy = sql`least(${events.closesAt}, ${showNow}) + make_interval(secs => ${events.resolveWithinSeconds})`;
  const resolvesByItself = sql`${events.autoResult} IS NOT NULL`;
  const [closed] = await Promise.all([
    moveEvents(tx, locked, "close_event", {
      closedAt: sql`${first.at}::timestamptz`,
      resolveBy,
      nextTransition: sql`CASE WHEN ${resolvesByItself} THEN 'resolve' END`,
      dueAt: sql`CASE WHEN ${resolvesByItself} THEN ${resolveBy} END`,
    }),
    closeSpots(tx, ids, first.at),
    closeCalls(tx, ...ids),
  ]);
  return closed;
}
