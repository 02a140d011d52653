import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { raiseStatementTimeout } from "#db/ledger/large-settlement.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/write-array.ts";
import type { EventResult } from "#db/lists/events.ts";
import { settlements } from "#src/base/instruments.ts";
import { resolveSpots } from "#src/play/spots/move-spots.ts";
import { measureTimer, planAfterMoves, readMoved } from "./move-event.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";
import { moveOne } from "./with-events.ts";

/** A checked result, the time from which calls are refunded (null: none), and the reason. */
export type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

/** An event, and what was decided for it. The actor of the locked event has decided. */
export type DecidedEvent = { locked: LockedEvent; decision: Decision };

/**
 * Decides what the calls of a closed event are paid, or corrects that, and marks the winning spot. It pays nothing: after the
 * commit the caller starts the payment with `startPaying`. The caller has checked permission and reason.
 *
 * A correction supersedes a settlement that is still being paid, which then pays no more. Each call is paid the difference
 * between the new payout and what it was paid so far (its wager, if it was not paid yet), so that a correction of a large
 * settlement takes no longer than another one.
 */
export function settleResult(tx: Transaction, locked: LockedEvent, decision: Decision): Promise<EventRow> {
  return moveOne(tx, locked, () => settleResults(tx, [{ locked, decision }]));
}

/** The same for many events, which are asked for by one program or person, and whose sessions share one clock: see moveEvents. */
export async function settleResults(tx: Transaction, decided: readonly DecidedEvent[]): Promise<EventRow[]> {
  const [first] = decided;
  if (first === undefined) return [];
  const { at, actor } = first.locked;
  for (const { locked } of decided) measureTimer(locked, "resolve");
  settlements.decided.inc(decided.length);
  const of = <Value>(read: (each: DecidedEvent) => Value) => decided.map(read);
  const ids = writeIntegerArray(of(({ locked: { event } }) => event.id));
  const fences = writeIntegerArray(of(({ locked: { fence = null } }) => fence));
  const results = writeTextArray(of(({ decision: { result } }) => result));
  const effectiveAts = writeTextArray(
    of(({ decision: { effectiveAt } }) => effectiveAt?.toISOString() ?? null),
  );
  const reasons = writeTextArray(of(({ decision: { reason } }) => reason));
  const actors = writeIntegerArray(of(({ locked }) => locked.actor?.id ?? null));
  // All are sent together; Postgres runs them one after the other.
  const [, resolved] = await Promise.all([
    raiseStatementTimeout(tx),
    readMoved(
      tx,
      sql`resolve_events(${ids}::bigint[], ${fences}::bigint[], ${results}::text[], ${effectiveAts}::timestamptz[],
        ${reasons}::text[], ${actors}::bigint[], ${actor?.accessTokenId ?? null}::bigint, ${at}::timestamptz)`,
    ),
    resolveSpots(tx, new Map(of(({ locked: { event }, decision: { result } }) => [event.id, result])), at),
  ]);
  const movedOf = new Map(resolved.map((moved) => [moved.id, moved]));
  await planAfterMoves(
    tx,
    decided.flatMap(({ locked }) => {
      const moved = movedOf.get(locked.event.id);
      return moved === undefined ? [] : [{ before: locked, moved }];
    }),
  );
  return resolved;
}
