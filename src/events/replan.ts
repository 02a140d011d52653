import { type SQL, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { invalid } from "#src/base/refusal.ts";
import { scheduleOf } from "./schedule.ts";
import { type EventRow, isLive, type LockedEvent, sessionTime } from "./with-event.ts";

type Times = Partial<Pick<EventRow, "opensAt" | "durationSeconds" | "resolveWithinSeconds">>;

/**
 * The columns that follow from new times of an event: its planned moments and its due time.
 * @param changed only the fields that differ.
 * @throws Refusal 422 for an opening time in the past or in a session that has not started, and for a close in the past.
 */
export function replan(locked: LockedEvent, changed: Times) {
  const { event } = locked;
  const given = (["opensAt", "durationSeconds", "resolveWithinSeconds"] as const).some((field) =>
    Object.hasOwn(changed, field),
  );
  if (!given) return {};
  const resolveWithin = changed.resolveWithinSeconds ?? event.resolveWithinSeconds;
  if (event.state === "open") return replanOpen(locked, changed, resolveWithin);
  if (event.state === "closed") return replanClosed(locked, resolveWithin);
  return replanUnopened(locked, changed, resolveWithin);
}

function replanUnopened(locked: LockedEvent, changed: Times, resolveWithin: number) {
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

function requireToCome({ session, ...locked }: LockedEvent, opensAt: Date): void {
  if (!isLive(session))
    throw invalid({ opensAt: ["is invalid"] }, { detail: "The session has not started." });
  if (opensAt.getTime() >= Date.parse(sessionTime({ ...locked, session }))) return;
  throw invalid({ opensAt: ["is invalid"] }, { detail: "It lies in the past." });
}

function replanOpen(locked: LockedEvent, changed: Times, resolveWithin: number) {
  const { event } = locked;
  const longerSeconds = (changed.durationSeconds ?? event.durationSeconds) - event.durationSeconds;
  const closesAtMs = (event.closesAt?.getTime() ?? 0) + longerSeconds * 1_000;
  if (closesAtMs <= Date.parse(sessionTime(locked))) {
    throw invalid({ durationSeconds: ["is invalid"] }, { detail: "It would have closed already." });
  }
  const closesAt = plus(sql`${events.closesAt}`, longerSeconds);
  return { closesAt, resolveBy: plus(closesAt, resolveWithin), ...scheduleOf(locked, closesAt) };
}

function replanClosed(locked: LockedEvent, resolveWithin: number) {
  const { event } = locked;
  const resolveBy = plus(sql`${events.resolveBy}`, resolveWithin - event.resolveWithinSeconds);
  // Here `dueAt` belongs to something else: to the pending result, or to the void of an event that nobody resolves.
  if (event.autoResult === null || event.pendingResult !== null) return { resolveBy };
  return { resolveBy, ...scheduleOf(locked, resolveBy) };
}

const plus = (moment: SQL, seconds: number) => sql`${moment} + make_interval(secs => ${seconds}::int)`;
