import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { closeCalls } from "#db/ledger/close-calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { requireNoStake } from "#src/calls/require-no-stake.ts";
import { closeSpots } from "#src/spots/close-spots.ts";
import { moveEvents, requireTransition } from "./move-event.ts";
import { isVoidedUncalled } from "./void-uncalled.ts";
import { type EventCommand, type EventRow, type LockedEvent, sessionTime, withEvent } from "./with-event.ts";
import { createBatchedVerb, moveOne } from "./with-events.ts";

/** Concurrent closes of timers share a transaction. */
export const closeTogether = createBatchedVerb({ transition: "close_event", change: closeLockedEvents });

/**
 * Closes an open event for calls. Calls that arrive after `closesAt` are refused by the clock even before this transition.
 * @throws Refusal 422 unless it is open; 403 for an actor who has a call on it.
 */
export function closeEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  if (command.actor === null) return closeTogether(deps, command);
  return withEvent(deps, command, async (tx, locked) => {
    requireTransition(locked, "close_event");
    await requireNoStake(tx, locked, "close it");
    return closeLockedEvent(tx, locked);
  });
}

/** Closes an event as part of a larger change, within a transaction that holds its gate. */
export function closeLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  return moveOne(tx, locked, closeLockedEvents);
}

/** The same for many events, whose sessions share one clock: see moveEvents. */
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
  const resolvesByItself = sql`(${events.autoResult} IS NOT NULL OR ${isVoidedUncalled(locked)})`;
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
