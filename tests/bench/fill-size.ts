import { type SQL, sql } from "drizzle-orm";

/** How many rows of each kind are filled, and where their ids begin. */
export type Size = { users: number; sessions: number; events: number; firstId: number };

/** Calls of different users on one event. Both heavy players also have one on each event. */
export const CALLS_PER_EVENT = 100;

/** When an event opened, ten minutes after the one before: the last one a day ago. */
export function momentOf(event: SQL, events: number): SQL {
  return sql`game_now() - interval '1 day' - interval '10 minutes' * (${events}::int - (${event}))`;
}
