import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { listCorrections } from "#db/ledger/list-corrections.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { keepResults } from "#src/leaderboard/keep-results.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import type { EventResult } from "./contract.ts";
import { moveEvent } from "./move-event.ts";
import { notPending } from "./note-result.ts";
import { notifyCorrections, notifyRefunds } from "./notify-players.ts";
import type { EventRow, LockedEvent } from "./with-event.ts";

/** A result that stands, from when on calls are refunded (null: none), and why. */
export type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

/** Pays the calls of an event that is closed, or corrects what was paid, and says who won. Who may and why was checked. */
export async function settleResult(
  tx: Transaction,
  locked: LockedEvent,
  { result, effectiveAt, reason }: Decision,
): Promise<EventRow> {
  const { event, actor, at } = locked;
  const actorId = actor?.id ?? null;
  const settlementId = await settleEvent(tx, { eventId: event.id, result, effectiveAt, reason, actorId });
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
  await keepResults(tx, event.id);
  await notifyPlayers(tx, { ...locked, event: resolved }, { settlementId, corrected: event.result !== null });
  return resolved;
}

/** Players whose wagers came back at once, or whom a correction pays differently. */
async function notifyPlayers(
  tx: Transaction,
  locked: LockedEvent,
  { settlementId, corrected }: { settlementId: number; corrected: boolean },
): Promise<void> {
  const { event } = locked;
  const reason = event.resultReason;
  if (!corrected) return notifyRefunds(tx, locked, await listRefunds(tx, event), reason);
  const corrections = await listCorrections(tx, settlementId);
  return notifyCorrections(tx, locked, corrections, { now: `Now ${wordOf(event)}.`, reason });
}

function wordOf({ result, trueLabel, falseLabel }: EventRow): string {
  if (result === "void") return "void";
  return result === "true" ? trueLabel : falseLabel;
}

function listRefunds(tx: Transaction, event: EventRow) {
  return tx
    .select({ userId: calls.userId, amountCents: sql<number>`sum(${calls.wagerCents})`.mapWith(Number) })
    .from(calls)
    .where(
      and(
        eq(calls.eventId, event.id),
        eq(calls.round, event.round),
        eq(calls.state, "resolved"),
        eq(calls.outcome, "refunded"),
      ),
    )
    .groupBy(calls.userId)
    .orderBy(calls.userId);
}
