import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { settleEvents } from "#db/ledger/settle-event.ts";
import type { EventResult } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#src/base/instruments.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { moveEvents } from "./move-event.ts";
import { noPendingResult } from "./note-result.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";
import { moveOne } from "./with-events.ts";

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
export function settleResult(tx: Transaction, locked: LockedEvent, decision: Decision): Promise<EventRow> {
  return moveOne(tx, locked, (_, only) => settleResults(tx, only, decision));
}

/** The same for many events with one decision of one actor. Their sessions share one clock: see moveEvents. */
export async function settleResults(
  tx: Transaction,
  locked: readonly LockedEvent[],
  { result, effectiveAt, reason }: Decision,
): Promise<EventRow[]> {
  const [first] = locked;
  if (first === undefined) return [];
  const { actor, at } = first;
  const actorId = actor?.id ?? null;
  const ids = locked.map(({ event }) => event.id);
  settlements.decided.inc(ids.length);
  await settleEvents(tx, ids, { result, effectiveAt, reason, actorId });
  await resolveSpots(tx, ids, { result, at });
  return moveEvents(tx, locked, "resolve", {
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
