import { sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, type FieldErrors } from "#src/base/refusal.ts";
import { moveEvents, requireTransition } from "./move-event.ts";
import { isWaiting } from "./plan-waiting.ts";
import { type EventCommand, type EventRow, isLive, type LockedEvent, withEvent } from "./with-event.ts";
import { createBatchedVerb, moveOne } from "./with-events.ts";

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
