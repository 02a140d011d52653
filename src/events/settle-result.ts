import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import type { EventResult } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { concludePart } from "#src/settlements/conclude-part.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { moveEvent } from "./move-event.ts";
import { noPendingResult } from "./note-result.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/** A checked result, the time from which calls are refunded (null: none), and the reason. */
export type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

/**
 * Settles a closed event, or corrects its settlement: decides the payouts, marks the winning spot, and pays. A large
 * settlement is only decided here; after the commit the caller starts its payment in parts with `startPaying`. The caller has
 * checked permission and reason.
 *
 * A correction supersedes a settlement that is still being paid, which then pays no more. Each call is paid the difference
 * between the new payout and what it was paid so far (its wager, if it was not paid yet), so that a correction of a large
 * settlement takes no longer than another one. Only a reset waits until everything is refunded, because it starts a new round.
 */
export async function settleResult(
  tx: Transaction,
  locked: LockedEvent,
  { result, effectiveAt, reason }: Decision,
): Promise<EventRow> {
  const { event, actor, at } = locked;
  const actorId = actor?.id ?? null;
  const { paid } = await settleEvent(tx, { eventId: event.id, result, effectiveAt, reason, actorId });
  await resolveSpots(tx, event.id, { result, at });
  const resolved = await moveEvent(tx, locked, "resolve", {
    ...noPendingResult,
    result,
    resultReason: reason,
    resolvedAt: sql`coalesce(${events.resolvedAt}, ${at}::timestamptz)`,
    nextTransition: null,
    dueAt: null,
    reason,
  });
  if (paid !== null) await concludePart(tx, { ...locked, event: resolved }, paid);
  return resolved;
}
