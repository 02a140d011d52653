import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { closeCalls } from "#db/ledger/close-calls.ts";
import { events } from "#db/schema/events.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { allows } from "#src/http/contract.ts";
import { closeSpots } from "#src/spots/close-spots.ts";
import { eventTransitions } from "./contract.ts";
import { moveEvents, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, type LockedEvent, showTime, withEvent } from "./with-event.ts";
import { withEvents } from "./with-events.ts";

/** All of a batch wait for its commit, so it may not grow without end. */
const BATCH_SIZE_MAX = 256;

/**
 * Ends the calling on an open event. What the clock has refused since `closesAt` becomes visible with it. Closes that
 * arrive while others are at the database go together in the next transaction.
 * @throws Refusal 422 unless it is open.
 */
export async function closeEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  // Who has looked at one version closes this event alone.
  const closed = order.ifVersion == null ? await closeTogether(deps, order) : null;
  return closed ?? withEvent(deps, order, closeLockedEvent);
}

const closeTogether = createBatcher(BATCH_SIZE_MAX, (deps: Deps, orders: readonly EventOrder[]) =>
  withEvents(deps, orders, {
    fits: ({ event }) => allows(eventTransitions, "close_event", event.state),
    change: closeLockedEvents,
  }),
);

/** Closes an event within a transaction that holds its gate, as part of a larger change. */
export async function closeLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  const [closed] = await closeLockedEvents(tx, [locked]);
  if (closed === undefined) throw new Error("closing answers with its event");
  return closed;
}

/**
 * Closes events within a transaction that holds their gates. Their sessions run by one clock: none is paused, or all are
 * one session.
 */
export async function closeLockedEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  for (const each of locked) requireTransition(each, "close_event");
  const ids = locked.map(({ event }) => event.id);
  const showNow = sql`${showTime(first)}::timestamptz`;
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
