import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/base/audit.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { eventStateLabels } from "./contract.ts";
import { eventTransitions, type EventTransition } from "./contract.ts";
import { remainingMs } from "./remaining-ms.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/**
 * Refuses what the table of states does not list.
 * @throws Refusal 422 `cannot transition when Resolved`.
 */
export function requireTransition({ event }: LockedEvent, name: EventTransition): void {
  if (!allows(eventTransitions, name, event.state)) throw cannotTransitionWhen(eventStateLabels[event.state]);
}

type Changes = PgUpdateSetSource<typeof events> & {
  /** Every move says what comes next by itself, and when; both null: nothing does. */
  nextTransition: EventRow["nextTransition"] | SQL;
  dueAt: SQL | null;
};

/** Writes the new state with its schedule, the fact for the world and the audit line. The caller has checked the table. */
export async function moveEvent(
  tx: Transaction,
  locked: LockedEvent,
  name: EventTransition,
  changes: Changes & { reason?: string | null },
): Promise<EventRow> {
  const [moved] = await moveEvents(tx, [locked], name, changes);
  if (moved === undefined) throw new Error("a move answers with its event");
  return moved;
}

/**
 * The same for many events at once, whose changes are the same SQL. Their sessions run by one clock: none is paused, or
 * all are one session.
 * @returns them as they stand now, in the order given.
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
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: sql`${first.at}::timestamptz`,
    })
    .where(anyOf(events.id, ids))
    .returning();
  // Statements that need not wait for each other's answers go out together, here and in what calls this.
  const facts = ids.map((eventId) => ({ kind: "event_changed" as const, eventId, change: name }));
  const [rows] = await Promise.all([moving, writeFacts(tx, facts)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const moves = locked.map((before) => {
    const moved = byId.get(before.event.id);
    if (moved === undefined) throw new Error(`event ${before.event.id} is gone although its row is locked`);
    return { before, moved };
  });
  await writeAudit(
    tx,
    ...moves.map(({ before: { event, actor }, moved }) => ({
      actor,
      action: name,
      subject: { type: "event" as const, id: event.id },
      sessionId: event.sessionId,
      before: gist(event),
      after: gist(moved),
      reason,
    })),
  );
  return moves.map(({ moved }) => moved);
}

/** While the session is paused nothing is due: what would be left until then is kept instead. */
export function scheduleOf({ session }: LockedEvent, dueAt: SQL | null) {
  if (dueAt === null || session?.pausedAt == null) return { dueAt, remainingMs: null };
  return { dueAt: null, remainingMs: remainingMs(dueAt, session.pausedAt.toISOString()) };
}

/** What an audit line keeps of an event. */
function gist({ state, result, opensAt, closesAt }: EventRow) {
  return { state, result, opensAt, closesAt };
}
