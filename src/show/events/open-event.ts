import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { type FieldErrors, invalid, cannotTransitionWhen } from "#src/base/refusal.ts";
import { moveSpots } from "#src/play/spots/move-spots.ts";
import { eventStateLabel } from "./contract.ts";
import { moveEvents, requireTransition } from "./move-event.ts";
import { isWaiting } from "./schedule.ts";
import {
  createBatchedVerb,
  type EventCommand,
  type EventRow,
  isLive,
  type LockedEvent,
  moveOne,
  withEvent,
} from "./with-event.ts";

/** Concurrent openings of timers share a transaction. */
export const openTogether = createBatchedVerb({
  transition: "open_event",
  change: openLockedEvents,
  fits: hasRunningSession,
});

/**
 * Opens a visible event for calls. A timer keeps the planned times, even when it is late. By hand it opens now, for its whole
 * duration.
 * @throws Refusal 422 unless it is visible, and its session (if any) is running.
 */
export function openEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  if (command.actor === null) return openTogether(deps, command);
  return withEvent(deps, command, openLockedEvent);
}

/** Opens an event as part of a larger change, within a transaction that holds its gate. */
export function openLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  return moveOne(tx, locked, openLockedEvents);
}

/** The same for many events, whose sessions share one clock: see moveEvents. */
async function openLockedEvents(tx: Transaction, locked: readonly LockedEvent[]): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  for (const each of locked) {
    requireTransition(each, "open_event");
    requireRunningSession(each);
  }
  const now = sql`${first.at}::timestamptz`;
  const timed = locked.filter((each) => each.timed).map(({ event }) => event.id);
  const opensAt = sql`CASE WHEN ${anyOf(events.id, timed)} THEN coalesce(${events.opensAt}, ${now}) ELSE ${now} END`;
  const closesAt = sql`${opensAt} + make_interval(secs => ${events.durationSeconds})`;
  const ids = locked.map(({ event }) => event.id);
  await moveSpots(tx, ids, "open_spot", { openedAt: now, closedAt: null });
  return moveEvents(tx, locked, "open_event", {
    opensAt,
    openedAt: now,
    closesAt,
    // An event that was closed, skipped and shown again opens a second time.
    closedAt: null,
    resolveBy: sql`${closesAt} + make_interval(secs => ${events.resolveWithinSeconds})`,
    nextTransition: "close_event",
    dueAt: closesAt,
  });
}

function requireRunningSession(locked: LockedEvent): void {
  if (hasRunningSession(locked)) return;
  throw cannotTransitionWhen(eventStateLabel(locked.event.state), "The session is not running.");
}

/** True also for an event without a session. */
function hasRunningSession({ session }: LockedEvent): boolean {
  return session === null || session.state === "running";
}

/** Concurrent publications of timers share a transaction. */
export const publishTogether = createBatchedVerb({
  transition: "publish_event",
  change: publishLockedEvents,
  fits: ({ event }) => missingTexts(event).length === 0,
});

/**
 * Publishes a draft: players see it. In a running session a timer opens it at its planned time, if it has one by then.
 * @throws Refusal 422 unless it is a draft with a question and both labels.
 */
export function publishEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  if (command.actor === null) return publishTogether(deps, command);
  return withEvent(deps, command, publishLockedEvent);
}

/** Publishes an event as part of a larger change, within a transaction that holds its gate. */
export function publishLockedEvent(tx: Transaction, locked: LockedEvent): Promise<EventRow> {
  return moveOne(tx, locked, publishLockedEvents);
}

/** The same for many events, whose sessions share one clock: see moveEvents. */
async function publishLockedEvents(tx: Transaction, locked: readonly LockedEvent[]): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  for (const each of locked) {
    requireTransition(each, "publish_event");
    requireQuestion(each.event);
  }
  const isPlanned = anyOf(
    events.id,
    locked.filter(isPlannedToOpen).map(({ event }) => event.id),
  );
  return moveEvents(tx, locked, "publish_event", {
    publishedAt: sql`${first.at}::timestamptz`,
    nextTransition: sql`CASE WHEN ${isPlanned} THEN 'open_event' END`,
    dueAt: sql`CASE WHEN ${isPlanned} THEN ${events.opensAt} END`,
  });
}

function isPlannedToOpen({ event, session }: LockedEvent): boolean {
  return isLive(session) && (event.opensAt !== null || isWaiting(event));
}

function requireQuestion(event: EventRow): void {
  const errors: FieldErrors = {};
  for (const field of missingTexts(event)) errors[field] = ["can't be blank"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function missingTexts(event: EventRow) {
  return (["title", "trueLabel", "falseLabel"] as const).filter((field) => event[field].trim() === "");
}
