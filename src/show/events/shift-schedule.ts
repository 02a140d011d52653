import { and, asc, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { writeUpdateFacts } from "./move-event.ts";
import { nextRevision, REMAINING_MS_MAX } from "./schedule.ts";
import { type EventRow, type LockedEvent, sessionTime } from "./with-event.ts";

/** When the next timed transition is due, in milliseconds since 1970 on the session's clock; null: none is planned. */
export function dueMsOf({ event, session }: Pick<LockedEvent, "event" | "session">): number | null {
  if (event.dueAt !== null) return event.dueAt.getTime();
  if (event.remainingMs === null || session?.pausedAt == null) return null;
  return session.pausedAt.getTime() + event.remainingMs;
}

/** The shift that moves a future moment to now, in milliseconds, below 0. 0 for a past moment and for none. */
export function untilNowMs(locked: LockedEvent, momentMs: number | null): number {
  if (momentMs === null) return 0;
  return Math.min(0, Date.parse(sessionTime(locked)) - momentMs);
}

/** Shifts the future of one event: its planned moments, and its due or remaining time. */
export async function shiftEvent(tx: Transaction, locked: LockedEvent, shiftMs: number): Promise<EventRow> {
  const [moved] = await shift(tx, eq(events.id, locked.event.id), { at: locked.at, shiftMs });
  return moved ?? locked.event;
}

/**
 * Shifts every planned event that comes after this one in the running order and has not opened.
 * @returns the shifted events.
 */
export function shiftFollowing(tx: Transaction, locked: LockedEvent, shiftMs: number): Promise<EventRow[]> {
  return shift(tx, following(locked.event), { at: locked.at, shiftMs });
}

/**
 * The next event of the running order that has not opened yet; null if there is none.
 * @param options planned: true for only those that are part of the plan: they have an opening time, or wait for it.
 */
export async function findNext(
  tx: Transaction,
  event: EventRow,
  { planned }: { planned: boolean },
): Promise<EventRow | null> {
  const [next] = await tx
    .select()
    .from(events)
    .where(and(unopenedAfter(event), planned ? isPlanned : undefined))
    .orderBy(asc(events.position), asc(events.id))
    .limit(1);
  return next ?? null;
}

const isPlanned = or(
  isNotNull(events.opensAt),
  isNotNull(events.nextTransition),
  eq(events.startMode, "by_hand"),
);

const following = (event: EventRow) => and(unopenedAfter(event), isNotNull(events.opensAt));

const unopenedAfter = ({ id, sessionId, position }: EventRow) =>
  and(
    sql`${events.sessionId} = ${sessionId}`,
    sql`(${events.position}, ${events.id}) > (${position}, ${id})`,
    inArray(events.state, ["draft", "visible"]),
  );

async function shift(
  tx: Transaction,
  which: SQL | undefined,
  { at, shiftMs }: { at: string; shiftMs: number },
): Promise<EventRow[]> {
  if (shiftMs === 0) return [];
  const by = sql`${shiftMs}::float8 * interval '1 millisecond'`;
  const rows = await tx
    .update(events)
    .set({
      opensAt: sql`CASE WHEN ${events.state} IN ('draft', 'visible') THEN ${events.opensAt} + ${by} ELSE ${events.opensAt} END`,
      closesAt: sql`CASE WHEN ${events.state} = 'closed' THEN ${events.closesAt} ELSE ${events.closesAt} + ${by} END`,
      resolveBy: sql`${events.resolveBy} + ${by}`,
      dueAt: sql`${events.dueAt} + ${by}`,
      remainingMs: sql`CASE WHEN ${events.remainingMs} IS NOT NULL
        THEN least(${REMAINING_MS_MAX}::bigint, ${events.remainingMs}::bigint + ${shiftMs}::bigint)::int END`,
      ...nextRevision(at),
    })
    .where(which)
    .returning();
  await writeUpdateFacts(tx, rows);
  return rows;
}
