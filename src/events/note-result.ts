import { eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { scheduleOf } from "./move-event.ts";
import { tellUpdates } from "./tell-updates.ts";
import { type EventRow, type LockedEvent, showTime } from "./with-event.ts";

/** The columns of an event on which no result waits to be paid. */
export const notPending = {
  pendingResult: null,
  pendingReason: null,
  pendingEffectiveAt: null,
  pendingById: null,
};

type Noted = { result: EventResult; effectiveAt: Date | null; reason: string | null; delaySeconds: number };

/** Notes how a closed event is resolved when the delay is over. Players see it at once; nobody is paid yet. */
export function noteResult(
  tx: Transaction,
  locked: LockedEvent,
  { result, effectiveAt, reason, delaySeconds }: Noted,
): Promise<EventRow> {
  return writePending(tx, locked, {
    action: "note_result",
    reason,
    changes: {
      pendingResult: result,
      pendingReason: reason,
      pendingEffectiveAt: effectiveAt,
      pendingById: locked.actor?.id ?? null,
      nextTransition: "resolve",
    },
    dueAt: sql`${showTime(locked)}::timestamptz + make_interval(secs => ${delaySeconds}::int)`,
  });
}

type PendingChange = {
  action: "note_result" | "withdraw";
  reason: string | null;
  changes: PgUpdateSetSource<typeof events> & { nextTransition: "resolve" | null };
  dueAt: SQL | null;
};

/** Writes what waits to be paid on an event, with the fact for the world and the audit line. Its state stays. */
export async function writePending(
  tx: Transaction,
  locked: LockedEvent,
  { action, reason, changes, dueAt }: PendingChange,
): Promise<EventRow> {
  const { event, actor, at } = locked;
  const [changed] = await tx
    .update(events)
    .set({
      ...changes,
      ...scheduleOf(locked, dueAt),
      scheduleVersion: sql`${events.scheduleVersion} + 1`,
      version: sql`${events.version} + 1`,
      updatedAt: sql`${at}::timestamptz`,
    })
    .where(eq(events.id, event.id))
    .returning();
  if (changed === undefined) throw new Error(`event ${event.id} is gone although its row is locked`);
  await tellUpdates(tx, [changed]);
  await writeAudit(tx, {
    actor,
    action,
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    before: { state: event.state, pendingResult: event.pendingResult },
    after: { state: changed.state, pendingResult: changed.pendingResult, dueAt: changed.dueAt },
    reason,
  });
  return changed;
}
