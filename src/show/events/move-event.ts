import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable, Transaction } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/query.ts";
import { asRefusal } from "#db/ledger/refusal.ts";
import { untimedStartModes } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/base/audit.ts";
import { measureLateness } from "#src/base/instruments.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { cannotTransitionWhen } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import { eventStateLabel, type EventTransition, eventTransitions, publishedStates } from "./contract.ts";
import { nextRevision, ofSession, writeEvent } from "./events-of-session.ts";
import { compareOrder, listWaitingSessions, planWaiting, scheduleOf } from "./schedule.ts";
import { type EventRow, isLive, type LockedEvent } from "./with-event.ts";

/**
 * Refuses a transition that the transition table does not allow from the event's state.
 * @throws Refusal 422 `cannot transition when Resolved`.
 */
export function requireTransition({ event }: LockedEvent, name: EventTransition): void {
  if (!allows(eventTransitions, name, event.state)) throw cannotTransitionWhen(eventStateLabel(event.state));
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
  for (const each of locked) measureTimer(each, name);
  const ids = locked.map(({ event }) => event.id);
  const fences = locked.map(({ fence = null }) => fence);
  const moving = tx
    .update(events)
    .set({
      state: eventTransitions[name].to,
      ...changes,
      ...scheduleOf(first, dueAt),
      ...nextRevision(first.at),
      fence: sql`coalesce(held.fence, ${events.fence})`,
    })
    .from(
      sql`unnest(${writeIntegerArray(ids)}::bigint[], ${writeIntegerArray(fences)}::bigint[]) AS held(event_id, fence)`,
    )
    .where(sql`${events.id} = held.event_id`)
    .returning(getTableColumns(events));
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
  if (endsWaiting.includes(name)) await planAfterMoves(tx, moves);
  if (changesOrder.includes(name)) for (const { before } of moves) await announceNext(tx, before);
  return moves.map(({ moved }) => moved);
}

/**
 * Reads the rows that a function of db/sql returns which moves events.
 * @throws LedgerRefusal if it refuses.
 */
export async function readMoved(db: Queryable, moving: SQL): Promise<EventRow[]> {
  try {
    // In this statement the name of the table is that of the returned rows.
    const moved = db.$with("events", getTableColumns(events)).as(sql`SELECT * FROM ${moving}`);
    return await db.with(moved).select().from(events);
  } catch (error) {
    throw asRefusal(error);
  }
}

export function measureTimer({ event, timed, at }: LockedEvent, transition: EventTransition): void {
  if (timed && event.dueAt !== null) measureLateness(transition, event.dueAt, new Date(at));
}

/**
 * Plans what waits for these moved events. In each session that is what follows the first of them: it includes what follows the
 * others. The sessions are in ascending order, so that two batches cannot wait for each other's rows.
 */
export async function planAfterMoves(
  tx: Transaction,
  moves: readonly { before: LockedEvent; moved: EventRow }[],
): Promise<void> {
  const live = moves.filter(({ before }) => isLive(before.session));
  const waiting = await listWaitingSessions(
    tx,
    live.map(({ moved }) => moved.sessionId ?? 0),
  );
  for (const sessionId of waiting) {
    const [first] = live
      .filter(({ moved }) => moved.sessionId === sessionId)
      .toSorted((one, other) => compareOrder(one.moved, other.moved));
    if (first !== undefined) await planNext(tx, first.before, first.moved);
  }
}

/** After these, and after a result, events that waited may have their times: the event has a close, or the order has changed. */
const endsWaiting: readonly EventTransition[] = ["open_event", "hide", "show", "destroy"];

/** These change which event is the next one. */
const changesOrder: readonly EventTransition[] = ["hide", "show", "destroy", "reset"];

/**
 * Announces the last event that has ended: how the next one starts, which players read in it, may have changed. Only a show with
 * events that wait for a result or for the host needs it.
 * @param locked `event`: as it was before the change, if one event was changed.
 */
export async function announceNext(
  tx: Transaction,
  { session, event }: Pick<LockedEvent, "session"> & { event?: EventRow },
): Promise<void> {
  if (!isLive(session)) return;
  const isUntimed = inArray(events.startMode, [...untimedStartModes]);
  const untimed = and(eq(events.sessionId, session.id), isUntimed);
  const wasUntimed = untimedStartModes.some((mode) => mode === event?.startMode);
  if (!wasUntimed && (await tx.$count(events, untimed)) === 0) return;
  const ended = ofSession(session, "closed", "resolved");
  const last = await tx.select().from(events).where(ended).orderBy(desc(events.openedAt)).limit(1);
  await writeUpdateFacts(tx, last);
}

/**
 * Gives the events that wait for a changed one their times, and remembers them for their alarms.
 * @param after the changed event, of which only later ones are planned; null: the session's row is locked for this change.
 */
export async function planNext(tx: Transaction, locked: LockedEvent, after: EventRow | null): Promise<void> {
  const planned = await planWaiting(tx, { ...locked, after });
  await writeUpdateFacts(tx, planned);
  locked.planned.push(...planned);
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
  const changed = await writeEvent(tx, { id: event.id, at }, columns);
  await writeUpdateFacts(tx, [changed]);
  return changed;
}

function auditedFields({ state, result, opensAt, closesAt }: EventRow) {
  return { state, result, opensAt, closesAt };
}
