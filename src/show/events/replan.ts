import { type SQL, sql } from "drizzle-orm";
import type { StartMode } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { invalid } from "#src/base/refusal.ts";
import { eventLimits } from "./contract.ts";
import { scheduleOf } from "./schedule.ts";
import { hasUncalledTimer } from "./void-uncalled.ts";
import { type EventRow, isLive, type LockedEvent, sessionTime } from "./with-event.ts";

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
  return {
    opensAt: null,
    closesAt: null,
    resolveBy: null,
    dueAt: null,
    remainingMs: null,
    nextTransition: followsAnother({ startMode }) ? next : null,
  };
}

/**
 * The duration of an event that closes by a date, in whole seconds: it closes at that time, or less than a second before.
 * @param opensAt when it opens; null where that is not known.
 * @throws Refusal 422 without an opening, and for a duration that is out of bounds.
 */
export function durationUntil(closesAt: Date, opensAt: Date | null): number {
  if (opensAt === null)
    throw invalid({ closesAt: ["is invalid"] }, { detail: "Say when it opens, too, or ask it at once." });
  const seconds = Math.floor((closesAt.getTime() - opensAt.getTime()) / 1_000);
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
