import { eq, type SQL } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/base/audit.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { eventStateLabels, eventTransitions, type EventTransition, publishedStates } from "./contract.ts";
import { nextRevision, scheduleOf } from "./schedule.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/**
 * Refuses a transition that the transition table does not allow from the event's state.
 * @throws Refusal 422 `cannot transition when Resolved`.
 */
export function requireTransition({ event }: LockedEvent, name: EventTransition): void {
  if (!allows(eventTransitions, name, event.state)) throw cannotTransitionWhen(eventStateLabels[event.state]);
}

type Changes = PgUpdateSetSource<typeof events> & {
  /** The next timed transition and its due time; both null: none. Every move sets them. */
  nextTransition: EventRow["nextTransition"] | SQL;
  dueAt: SQL | null;
};

/** Writes an event's new state and schedule, its fact and its audit line. The caller has checked the transition. */
export async function moveEvent(
  tx: Transaction,
  locked: LockedEvent,
  name: EventTransition,
  changes: Changes & { reason?: string | null },
): Promise<EventRow> {
  const [moved] = await moveEvents(tx, [locked], name, changes);
  if (moved === undefined) throw new Error("moveEvents returned no row");
  return moved;
}

/**
 * The same for many events with one UPDATE. Their sessions must share one clock: none is paused, or all events belong to one
 * session.
 * @returns the new rows, in the order given.
 */
export async function moveEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
  name: EventTransition,
  { reason, dueAt, ...changes }: Changes & { reason?: string | null },
): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  const ids = locked.map(({ event }) => event.id);
  const moving = tx
    .update(events)
    .set({
      state: eventTransitions[name].to,
      ...changes,
      ...scheduleOf(first, dueAt),
      ...nextRevision(first.at),
    })
    .where(anyOf(events.id, ids))
    .returning();
  // Independent statements are sent together, here and in the callers, to save round trips.
  const facts = ids.map((eventId) => ({ kind: "event_changed" as const, eventId, change: name }));
  const [rows] = await Promise.all([moving, writeFacts(tx, facts)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const moves = locked.map((before) => {
    const moved = byId.get(before.event.id);
    if (moved === undefined)
      throw new Error(`event ${before.event.id} is missing although its row is locked`);
    return { before, moved };
  });
  await writeAudit(
    tx,
    ...moves.map(({ before: { event, actor }, moved }) => ({
      actor,
      action: name,
      subject: { type: "event" as const, id: event.id },
      sessionId: event.sessionId,
      before: auditedFields(event),
      after: auditedFields(moved),
      reason,
    })),
  );
  return moves.map(({ moved }) => moved);
}

/**
 * Writes the facts that announce a change of these events other than of their state. Drafts have none: players do not see
 * them.
 */
export async function writeUpdateFacts(tx: Transaction, changed: readonly EventRow[]): Promise<void> {
  const published = changed.filter(({ state }) => publishedStates.includes(state));
  await writeFacts(
    tx,
    published.map(({ id }) => ({ kind: "event_changed", eventId: id, change: "update" })),
  );
}

/** Writes columns of an event without changing its state, and the fact of the change. Returns the new row. */
export async function writeColumns(
  tx: Transaction,
  { event, at }: LockedEvent,
  columns: PgUpdateSetSource<typeof events>,
): Promise<EventRow> {
  const [changed] = await tx
    .update(events)
    .set({ ...columns, ...nextRevision(at) })
    .where(eq(events.id, event.id))
    .returning();
  if (changed === undefined) throw new Error(`event ${event.id} is missing although its row is locked`);
  await writeUpdateFacts(tx, [changed]);
  return changed;
}

/** The columns that an audit line records. */
function auditedFields({ state, result, opensAt, closesAt }: EventRow) {
  return { state, result, opensAt, closesAt };
}
