import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import type { EventResult } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { moveEvent } from "./move-event.ts";
import { noPendingResult } from "./note-result.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/** A checked result, the time from which calls are refunded (null: none), and the reason. */
export type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

/**
 * Decides what the calls of a closed event are paid, or corrects that, and marks the winning spot. It pays nothing: after the
 * commit the caller starts the payment with `startPaying`. The caller has checked permission and reason.
 *
 * A correction supersedes a settlement that is still being paid, which then pays no more. Each call is paid the difference
 * between the new payout and what it was paid so far (its wager, if it was not paid yet), so that a correction of a large
 * settlement takes no longer than another one.
 */
export async function settleResult(
  tx: Transaction,
  locked: LockedEvent,
  { result, effectiveAt, reason }: Decision,
): Promise<EventRow> {
  const { event, actor, at } = locked;
  const actorId = actor?.id ?? null;
  await settleEvent(tx, { eventId: event.id, result, effectiveAt, reason, actorId });
  await resolveSpots(tx, event.id, { result, at });
  return moveEvent(tx, locked, "resolve", {
    ...noPendingResult,
    result,
    resultReason: reason,
    resolvedAt: sql`coalesce(${events.resolvedAt}, ${at}::timestamptz)`,
    decidedAt: sql`coalesce(${events.decidedAt}, ${at}::timestamptz)`,
    decidedById: actorId,
    effectiveAt,
    nextTransition: null,
    dueAt: null,
    reason,
  });
}
