import { eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/audit.ts";
import { writeFact } from "#src/outbox.ts";
import { allows } from "#src/http/contract.ts";
import { cannotTransitionWhen } from "#src/transition.ts";
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
  nextTransition: EventRow["nextTransition"];
  dueAt: SQL | null;
};

/** Writes the new state with its schedule, the fact for the world and the audit line. The caller has checked the table. */
export async function moveEvent(
  tx: Transaction,
  locked: LockedEvent,
  name: EventTransition,
  { reason, dueAt, ...changes }: Changes & { reason?: string | null },
): Promise<EventRow> {
  const { event, actor, at } = locked;
  const [moved] = await tx
    .update(events)
    .set({
      state: eventTransitions[name].to,
      ...changes,
      ...scheduleOf(locked, dueAt),
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: sql`${at}::timestamptz`,
    })
    .where(eq(events.id, event.id))
    .returning();
  if (moved === undefined) throw new Error(`event ${event.id} is gone although its row is locked`);
  await writeFact(tx, { kind: "event_changed", eventId: event.id, change: name });
  await writeAudit(tx, {
    actor,
    action: name,
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    before: gist(event),
    after: gist(moved),
    reason,
  });
  return moved;
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
