import { and, asc, eq, inArray, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import type { StartMode } from "#db/lists/events.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import { events, spots } from "#db/schema/events.ts";
import { invalid } from "#src/base/refusal.ts";
import { eventLimits, SETTLEMENT_DELAY_DEFAULT_SECONDS } from "./contract.ts";
import { comesAfter, runningOrder, unopenedAfter, writeEvent } from "./events-of-session.ts";
import { type EventRow, isLive, type LockedEvent, sessionTime } from "./with-event.ts";

/** The settings of a session that decide on times of its events. An invalid value counts as not set. */
const settings = v.object({
  leadSeconds: v.fallback(v.number(), 10),
  settlementDelaySeconds: v.fallback(v.number(), SETTLEMENT_DELAY_DEFAULT_SECONDS),
  voidUncalled: v.fallback(v.boolean(), false),
});

/** Reads these settings of an event's session; the defaults for an event without a session. */
export function readSettings(session: { settings: unknown } | null): v.InferOutput<typeof settings> {
  return v.parse(settings, { ...v.parse(v.fallback(v.looseObject({}), {}), session?.settings) });
}

/** The largest value of `events.remaining_ms`: about 24 days. */
export const REMAINING_MS_MAX = 2_147_483_647;
/** A closed event that nobody resolves is voided and refunded this long after its session has stopped. */
const VOID_AFTER_HOURS = 24;

/** When such an event is voided, as SQL. `at` is the time on the database's clock, ISO 8601. */
export function voidAfter(at: string): SQL {
  return sql`${at}::timestamptz + make_interval(hours => ${VOID_AFTER_HOURS}::int)`;
}

/**
 * The milliseconds between a moment and a due time, as SQL: below 0 if overdue, NULL without a due time. Rounded up, so that
 * nothing happens early.
 */
export function remainingMs(dueAt: SQL, at: string): SQL<number | null> {
  const left = sql`ceil(extract(epoch FROM ${dueAt} - ${at}::timestamptz) * 1000)`;
  return sql`CASE WHEN ${dueAt} IS NOT NULL THEN least(${REMAINING_MS_MAX}::numeric, ${left})::int END`;
}

/** The columns of a due time. While the session is paused nothing is due; the remaining time is stored instead. */
export function scheduleOf({ session }: Pick<LockedEvent, "session">, dueAt: SQL | null) {
  if (dueAt === null || session?.pausedAt == null) return { dueAt, remainingMs: null };
  return { dueAt: null, remainingMs: remainingMs(dueAt, session.pausedAt.toISOString()) };
}

/*
 * The setting `voidUncalled`: nobody has to decide an event that nobody has called. Its timer is set at the close
 * (db/sql/functions/close-events.sql), and from then on no call is placed, also none that arrived before: unless an admin gives it a result
 * before, it is voided when the time for its result has ended.
 * Without the setting, and with at least one call, it waits for the admin.
 */

/** True for an event without calls, as SQL. While its gate is held, or some seconds after its close, this does not change. */
export const isUncalled = sql`NOT EXISTS (SELECT FROM ${spots} WHERE ${spots.eventId} = ${events.id} AND ${spots.callsCount} > 0)`;

/**
 * True if an event's timer voids it because nobody has called it. Only a live session has such timers; after its end the timer
 * of every undecided event voids it.
 */
function hasUncalledTimer({ event, session }: Pick<LockedEvent, "event" | "session">): boolean {
  const { state, autoResult, pendingResult, nextTransition } = event;
  if (state !== "closed" || session?.state === "stopped") return false;
  return autoResult === null && pendingResult === null && nextTransition === "resolve";
}

type Times = Partial<
  Pick<EventRow, "startMode" | "offsetSeconds" | "opensAt" | "durationSeconds" | "resolveWithinSeconds">
>;
type Planned = Pick<LockedEvent, "event" | "session" | "at">;

/**
 * The columns that follow from new times of an event: its planned moments and its due time.
 * @param changed only the fields that differ.
 * @throws Refusal 422 for an opening time in the past or in a session that has not started, and for a close in the past.
 */
export function replan(locked: Planned, changed: Times) {
  const { event } = locked;
  const given = (["opensAt", "durationSeconds", "resolveWithinSeconds"] as const).some((field) =>
    Object.hasOwn(changed, field),
  );
  if (changesStart(locked, changed)) return waitAgain(locked, changed.startMode ?? event.startMode);
  if (!given) return {};
  const resolveWithin = changed.resolveWithinSeconds ?? event.resolveWithinSeconds;
  if (event.state === "open") return replanOpen(locked, changed, resolveWithin);
  if (event.state === "closed") return replanClosed(locked, resolveWithin);
  return replanUnopened(locked, changed, resolveWithin);
}

/**
 * True if a change takes an event of a live session its time: a new start mode, or a new wait. Not one that gives it a time, and
 * not the start mode "at offset", whose moment was known at the start.
 */
export function changesStart(
  { event, session }: Pick<Planned, "event" | "session">,
  changed: Times,
): boolean {
  if (changed.opensAt != null || !isLive(session)) return false;
  if (changed.startMode === "offset") return event.opensAt === null;
  if (changed.startMode !== undefined) return true;
  return changed.offsetSeconds !== undefined && followsAnother(event) && event.nextTransition !== null;
}

/** True if an event opens after the close or the result of the one before it. */
export function followsAnother({ startMode }: Pick<EventRow, "startMode">): boolean {
  return startMode === "after_previous" || startMode === "after_result";
}

/**
 * The columns of an event that has not opened and loses its times: it waits for the event before it, or for the host. A draft at
 * an offset keeps what is planned: its moment was known at the start.
 */
export function waitAgain({ event: { state, opensAt } }: Pick<Planned, "event">, startMode: StartMode) {
  if (startMode === "offset" && opensAt !== null) return {};
  const next = state === "draft" ? ("publish_event" as const) : ("open_event" as const);
  return { ...noTimes, nextTransition: followsAnother({ startMode }) ? next : null };
}

/** The columns of an event that has not opened and has no times. */
export const noTimes = { opensAt: null, closesAt: null, resolveBy: null, dueAt: null, remainingMs: null };

/**
 * The duration of an event that closes by a date, in whole seconds: it closes at that time, or less than a second after. Pages
 * say the minute of it, which is the host's then.
 * @param opensAt when it opens; null where that is not known.
 * @throws Refusal 422 without an opening, and for a duration that is out of bounds.
 */
export function durationUntil(closesAt: Date, opensAt: Date | null): number {
  if (opensAt === null)
    throw invalid({ closesAt: ["is invalid"] }, { detail: "Say when it opens, too, or ask it at once." });
  const seconds = Math.ceil((closesAt.getTime() - opensAt.getTime()) / 1_000);
  const { durationSecondsMin: min, durationSecondsMax: max } = eventLimits;
  if (seconds < min || seconds > max)
    throw invalid({ closesAt: ["is invalid"] }, { detail: "It can be open for 5 seconds to 30 days." });
  return seconds;
}

function replanUnopened(locked: Planned, changed: Times, resolveWithin: number) {
  const { event } = locked;
  if (changed.opensAt != null) requireToCome(locked, changed.opensAt);
  const opensAt = sql`${(changed.opensAt ?? event.opensAt)?.toISOString() ?? null}::timestamptz`;
  const closesAt = plus(opensAt, changed.durationSeconds ?? event.durationSeconds);
  const moments = { closesAt, resolveBy: plus(closesAt, resolveWithin) };
  if (changed.opensAt == null) return moments;
  if (event.state === "visible") {
    return { ...moments, nextTransition: "open_event" as const, ...scheduleOf(locked, opensAt) };
  }
  const publishedAt = sql`greatest(${sessionTime(locked)}::timestamptz, ${plus(opensAt, -event.leadSeconds)})`;
  return { ...moments, nextTransition: "publish_event" as const, ...scheduleOf(locked, publishedAt) };
}

function requireToCome({ session, ...locked }: Planned, opensAt: Date): void {
  if (!isLive(session))
    throw invalid({ opensAt: ["is invalid"] }, { detail: "The session has not started." });
  if (opensAt.getTime() >= Date.parse(sessionTime({ ...locked, session }))) return;
  throw invalid({ opensAt: ["is invalid"] }, { detail: "It lies in the past." });
}

function replanOpen(locked: Planned, changed: Times, resolveWithin: number) {
  const { event } = locked;
  const longerSeconds = (changed.durationSeconds ?? event.durationSeconds) - event.durationSeconds;
  const closesAtMs = (event.closesAt?.getTime() ?? 0) + longerSeconds * 1_000;
  if (closesAtMs <= Date.parse(sessionTime(locked))) {
    throw invalid({ durationSeconds: ["is invalid"] }, { detail: "It would have closed already." });
  }
  const closesAt = plus(sql`${events.closesAt}`, longerSeconds);
  return { closesAt, resolveBy: plus(closesAt, resolveWithin), ...scheduleOf(locked, closesAt) };
}

function replanClosed(locked: Planned, resolveWithin: number) {
  const { event } = locked;
  const resolveBy = plus(sql`${events.resolveBy}`, resolveWithin - event.resolveWithinSeconds);
  // Elsewhere `dueAt` belongs to something else: to the pending result, or to the void of an event that nobody resolves.
  const isTimed = event.autoResult !== null && event.pendingResult === null;
  if (!isTimed && !hasUncalledTimer(locked)) return { resolveBy };
  return { resolveBy, ...scheduleOf(locked, resolveBy) };
}

const plus = (moment: SQL, seconds: number) => sql`${moment} + make_interval(secs => ${seconds}::int)`;

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
    .orderBy(...runningOrder);
  const planned: EventRow[] = [];
  let previous: EventRow | null = null;
  for (const event of order) {
    const isAhead = plan.after === null || compareOrder(event, plan.after) > 0;
    const opensAtMs: number | null = isAhead
      ? openingOf(event, previous, Date.parse(sessionTime(plan)))
      : null;
    const now: EventRow = opensAtMs === null ? event : await writeTimes(tx, { ...plan, event }, opensAtMs);
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
    .where(unopenedAfter(event))
    .orderBy(...runningOrder)
    .for("no key update");
  const end = later.findIndex((next) => !followsAnother(next) || next.nextTransition === null);
  const following = (end === -1 ? later : later.slice(0, end)).filter(({ opensAt }) => opensAt !== null);
  const unplanned: EventRow[] = [];
  for (const next of following)
    unplanned.push(await writeEvent(tx, { id: next.id, at }, waitAgain({ event: next }, next.startMode)));
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
    .where(and(eq(events.sessionId, sessionId), waits, after === null ? undefined : comesAfter(after)))
    .orderBy(...runningOrder)
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

function writeTimes(tx: Transaction, planned: Planned, opensAtMs: number): Promise<EventRow> {
  const opensAt = new Date(opensAtMs);
  const { event, at } = planned;
  return writeEvent(tx, { id: event.id, at }, { opensAt, ...replan(planned, { opensAt }) });
}
