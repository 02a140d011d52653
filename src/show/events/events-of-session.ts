import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import type { EventState } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { clockText, type EventRow, type LockedEvent } from "./with-event.ts";

/** The order in which a session has its events. */
export const runningOrder = [asc(events.position), asc(events.id)];

/** In SQL: the events of a session in these states. */
export function ofSession({ id }: { id: number }, ...states: EventState[]): SQL | undefined {
  return and(eq(events.sessionId, id), inArray(events.state, states));
}

type Placed = Pick<EventRow, "id" | "sessionId" | "position">;

/** In SQL: the events that come after this one in the running order of its session. */
export function comesAfter({ id, sessionId, position }: Placed): SQL {
  return sql`${events.sessionId} = ${sessionId} AND (${events.position}, ${events.id}) > (${position}, ${id})`;
}

/** The same of those that have not opened. */
export function unopenedAfter(event: Placed): SQL | undefined {
  return and(comesAfter(event), inArray(events.state, ["draft", "visible"]));
}

/** Locks the events of a session that have not opened. @returns them in the running order. */
export async function lockUnopened(tx: Transaction, session: { id: number }): Promise<EventRow[]> {
  return tx
    .select()
    .from(events)
    .where(ofSession(session, "draft", "visible"))
    .orderBy(...runningOrder)
    .for("no key update");
}

/** Locks the events of a session in these states, whose gates the caller holds. */
export async function lockGated(
  tx: Transaction,
  { session, actor }: Pick<LockedEvent, "actor"> & { session: NonNullable<LockedEvent["session"]> },
  ...states: EventState[]
): Promise<LockedEvent[]> {
  const rows = await tx
    .select({ event: events, at: clockText })
    .from(events)
    .where(ofSession(session, ...states))
    .orderBy(asc(events.id))
    .for("no key update");
  return rows.map((row) => ({ ...row, session, actor, timed: false, planned: [] }));
}

/** The columns that every change of an event sets: new versions of its schedule and of the event, and the time. */
export const nextRevision = (at: string) => ({
  scheduleVersion: sql`${events.scheduleVersion} + 1`,
  version: sql`${events.version} + 1`,
  updatedAt: sql`${at}::timestamptz`,
});

type Columns = PgUpdateSetSource<typeof events>;
/** `at`: the time on the database's clock, ISO 8601. */
type Which = { at: string; where: SQL | undefined };

/** Writes columns of events, and nothing else that follows from a change of them. @returns the new rows. */
export async function writeEvents(
  tx: Transaction,
  { at, where }: Which,
  columns: Columns,
): Promise<EventRow[]> {
  return tx
    .update(events)
    .set({ ...columns, ...nextRevision(at) })
    .where(where)
    .returning();
}

/** The same of one event, whose row is locked. */
export async function writeEvent(
  tx: Transaction,
  { id, at }: { id: number; at: string },
  columns: Columns,
): Promise<EventRow> {
  const [changed] = await writeEvents(tx, { at, where: eq(events.id, id) }, columns);
  if (changed === undefined) throw new Error(`event ${id} is missing although its row is locked`);
  return changed;
}
