import { sql } from "drizzle-orm";
import { events, spots } from "#db/schema/events.ts";
import type { LockedEvent } from "./with-event.ts";

/*
 * The setting `voidUncalled`: nobody has to decide an event that nobody has called. Once it is closed no call can arrive, so its
 * timer is set at the close (db/sql/functions/close-events.sql): unless an admin gives it a result before, it is voided when the time for its result has ended.
 * Without the setting, and with at least one call, it waits for the admin.
 */

/** True for an event without calls, as SQL. While its gate is held, or after its close, this does not change. */
export const isUncalled = sql`NOT EXISTS (SELECT FROM ${spots} WHERE ${spots.eventId} = ${events.id} AND ${spots.callsCount} > 0)`;

/**
 * True if an event's timer voids it because nobody has called it. Only a live session has such timers; after its end the timer
 * of every undecided event voids it.
 */
export function hasUncalledTimer({ event, session }: Pick<LockedEvent, "event" | "session">): boolean {
  const { state, autoResult, pendingResult, nextTransition } = event;
  if (state !== "closed" || session?.state === "stopped") return false;
  return autoResult === null && pendingResult === null && nextTransition === "resolve";
}
