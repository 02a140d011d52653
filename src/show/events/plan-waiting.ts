import { and, asc, eq, inArray, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import { events } from "#db/schema/events.ts";
import { followsAnother, nextRevision, replan, waitAgain } from "./schedule.ts";
import { type EventRow, isLive, type LockedEvent, sessionTime } from "./with-event.ts";

/*
 * The plan of a running session has events without a time: those that open after the result of the event before them, those that
 * the host starts, and those that follow one of these. An event without a time waits: its next transition is known, its due time
 * is not. As soon as the event before it in the running order has a close or a result, it gets its times. Hidden and destroyed
 * events are not in the order, so an event that follows a skipped one waits for the event before that.
 *
 * From then on it is an event like any other: taking the result back, correcting it or resetting the event before moves nothing.
 * Only when the host changes how an event starts do the events that follow it wait again.
 * What is not part of the plan does not wait: an event that the host starts, and one that was added without a start mode.
 */

/** True for an event that has not opened and waits for the one before it. */
export function isWaiting({ state, nextTransition, opensAt }: EventRow): boolean {
  return (state === "draft" || state === "visible") && nextTransition !== null && opensAt === null;
}

type PlanWaiting = Pick<LockedEvent, "session" | "at"> & {
  /**
   * The event that has changed: only events after it are planned, and their rows are locked in the running order. Null: all of
   * the session, whose row is locked against all other changes.
   */
  after: EventRow | null;
};

/**
 * Gives the waiting events of a live session their times, where the event before has what they wait for.
 * @returns the events that have got a time, in the running order.
 */
export async function planWaiting(tx: Transaction, plan: PlanWaiting): Promise<EventRow[]> {
  const { session } = plan;
  if (!isLive(session) || !(await lockWaiting(tx, session.id, plan.after))) return [];
  const order = await tx
    .select()
    .from(events)
    .where(and(eq(events.sessionId, session.id), notInArray(events.state, ["hidden", "soft_destroyed"])))
    .orderBy(asc(events.position), asc(events.id));
  const planned: EventRow[] = [];
  let previous: EventRow | null = null;
  for (const event of order) {
    const isAhead = plan.after === null || compareOrder(event, plan.after) > 0;
    const opensAtMs: number | null = isAhead
      ? openingOf(event, previous, Date.parse(sessionTime(plan)))
      : null;
    const now: EventRow = opensAtMs === null ? event : await writeTimes(tx, plan, { event, opensAtMs });
    if (now !== event) planned.push(now);
    if (!isBesideOrder(now)) previous = now;
  }
  return planned;
}

/**
 * Takes their times from the events that follow one whose start has changed, up to the next that does not follow another: they
 * wait again. The session's row is locked against all other changes.
 * @returns the events that had a time.
 */
export async function unplanFollowing(
  tx: Transaction,
  { event, at }: Pick<LockedEvent, "event" | "at">,
): Promise<EventRow[]> {
  const later = await tx
    .select()
    .from(events)
    .where(
      and(
        sql`${events.sessionId} = ${event.sessionId}`,
        sql`(${events.position}, ${events.id}) > (${event.position}, ${event.id})`,
        inArray(events.state, ["draft", "visible"]),
      ),
    )
    .orderBy(asc(events.position), asc(events.id))
    .for("no key update");
  const end = later.findIndex((next) => !followsAnother(next) || next.nextTransition === null);
  const following = (end === -1 ? later : later.slice(0, end)).filter(({ opensAt }) => opensAt !== null);
  const unplanned: EventRow[] = [];
  for (const next of following) {
    unplanned.push(
      ...(await tx
        .update(events)
        .set({ ...waitAgain({ event: next }, next.startMode), ...nextRevision(at) })
        .where(eq(events.id, next.id))
        .returning()),
    );
  }
  return unplanned;
}

/** The condition of isWaiting, as SQL. */
const waits = and(
  inArray(events.state, ["draft", "visible"]),
  isNotNull(events.nextTransition),
  isNull(events.opensAt),
);

/** Those of these sessions in which an event waits, in ascending order. */
export async function listWaitingSessions(tx: Transaction, sessionIds: readonly number[]): Promise<number[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ id: events.sessionId })
    .from(events)
    .where(and(anyOf(events.sessionId, sessionIds), waits))
    .orderBy(asc(events.sessionId));
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** @returns false if no event waits. */
async function lockWaiting(tx: Transaction, sessionId: number, after: EventRow | null): Promise<boolean> {
  const locked = await tx
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.sessionId, sessionId),
        waits,
        after === null
          ? undefined
          : sql`(${events.position}, ${events.id}) > (${after.position}, ${after.id})`,
      ),
    )
    .orderBy(asc(events.position), asc(events.id))
    .for("no key update");
  return locked.length > 0;
}

/** Below 0 if the first event comes before the other in the running order of their session. */
export function compareOrder(one: EventRow, other: EventRow): number {
  return one.position - other.position || one.id - other.id;
}

/** When a waiting event opens, in milliseconds since 1970 on the session's clock; null: that is still not known. */
function openingOf(event: EventRow, previous: EventRow | null, nowMs: number): number | null {
  if (!isWaiting(event)) return null;
  const fromMs = previous === null ? nowMs : endOf(previous, event, nowMs);
  return fromMs === null ? null : Math.max(fromMs, nowMs) + event.offsetSeconds * 1_000;
}

/** The moment from which an event's wait counts. A past one is now, so that the wait is never shorter than planned. */
function endOf(previous: EventRow, { startMode }: EventRow, nowMs: number): number | null {
  const { state, closesAt, nextTransition } = previous;
  if (state === "resolved") return nowMs;
  if (startMode === "after_result") return null;
  if (state === "closed") return nowMs;
  return nextTransition === null ? null : (closesAt?.getTime() ?? null);
}

async function writeTimes(
  tx: Transaction,
  { session, at }: PlanWaiting,
  { event, opensAtMs }: { event: EventRow; opensAtMs: number },
): Promise<EventRow> {
  const opensAt = new Date(opensAtMs);
  const [planned] = await tx
    .update(events)
    .set({ opensAt, ...replan({ event, session, at }, { opensAt }), ...nextRevision(at) })
    .where(eq(events.id, event.id))
    .returning();
  if (planned === undefined) throw new Error(`event ${event.id} is missing although its row is locked`);
  return planned;
}
