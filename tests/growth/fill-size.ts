import { type SQL, sql } from "drizzle-orm";

/** How large a filled world is. Two heavy players come on top of the users: each has a call on every event. */
export type Shape = {
  users: number;
  sessions: number;
  eventsPerSession: number;
  /** Calls of different users on one event, an even number. The heavy players' are not among them. */
  callsPerEvent: number;
  /** Grants of a user before the first call: the one of the start, then one a day. */
  grants: number;
};

/** How many rows of each kind are filled, and where their ids begin. */
export type Size = Shape & { events: number; firstId: number };

/** At factor 1: 1,000 users, 20 sessions, 10,200 calls and 12,600 entries. At 100 a hundred times as many. */
export const shapeOf = (factor: number): Shape => ({
  users: 1_000 * factor,
  sessions: 20 * factor,
  eventsPerSession: 5,
  callsPerEvent: 100,
  grants: 1,
});

/** 20,000 users, 200 sessions, half a million calls and two million entries: far more than Postgres reads whole on purpose. */
export const FULL: Shape = {
  users: 20_000,
  sessions: 200,
  eventsPerSession: 10,
  callsPerEvent: 250,
  grants: 38,
};

/** Which world the tests of reads are in: that of each day, or the full one of `bun run prove growth`. */
export const size = { isFull: false };

/**
 * When an event opened, ten minutes after the one before: the last one a day before the filling began. So a call is as long after its
 * event's opening as it should be, however long it takes to fill all of them.
 */
export function momentOf(event: SQL, events: number): SQL {
  return sql`now() - interval '1 day' - interval '10 minutes' * (${events}::int - (${event}))`;
}
