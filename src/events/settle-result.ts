import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { events } from "#db/schema/events.ts";
import { concludePart } from "#src/settlements/conclude-part.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { moveEvent } from "./move-event.ts";
import { notPending } from "./note-result.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/** A result that stands, from when on calls are refunded (null: none), and why. */
export type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

/**
 * Decides what the calls of an event that is closed are paid, or corrects that, says who won, and pays. A crowd is paid in
 * parts: what has become of earlier parts does not matter here, and after the commit `startPaying` has the new ones paid.
 * Who may and why was checked.
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
    ...notPending,
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
