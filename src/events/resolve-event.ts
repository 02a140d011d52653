import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import { listCorrections } from "#db/ledger/list-corrections.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/deps.ts";
import { invalid } from "#src/http/refusal.ts";
import { resolveSpots } from "#src/spots/resolve-spots.ts";
import { closeLockedEvent } from "./close-event.ts";
import type { EventResult } from "./contract.ts";
import { isUndo } from "./is-undo.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { notifyCorrections, notifyRefunds } from "./notify-players.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { type EventOrder, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** What players read where a result was taken back at once. */
const UNDO_REASON = "Corrected at once.";

/** How an event ended, as somebody (or its plan) says. */
export type Verdict = {
  /** Null: nobody said, which is refused. */
  result: EventResult | null;
  /** Calls placed at or after this moment are refunded; the rest is settled. */
  effectiveAt?: Date | null;
  /** Shown to the players. A correction must have one, unless whoever resolved undoes it within 10 s. */
  reason?: string | null;
};

/**
 * Resolves an event and pays: an open one is closed first, in the same transaction. On a resolved event the same result
 * changes nothing, and another one is a correction by compensating entries.
 * @throws Refusal 422 where the table says no, the result or a correction's reason is missing, or `effectiveAt` lies
 *   ahead; 403 for whoever has a call on the event.
 */
export function resolveEvent(deps: Deps, order: EventOrder & Verdict): Promise<EventRow> {
  return withEvent(deps, order, (tx, locked) => resolveLockedEvent(tx, locked, order));
}

async function resolveLockedEvent(tx: Transaction, locked: LockedEvent, verdict: Verdict): Promise<EventRow> {
  requireTransition(locked, "resolve");
  const result = requireVerdict(locked, verdict);
  const { event, at } = locked;
  const effectiveAt = verdict.effectiveAt ?? null;
  if (await isSettledSo(tx, event, { result, effectiveAt })) return event;
  const reason = await requireReason(tx, locked, verdict);
  await requireNoStake(tx, locked, "resolve");

  const closed = event.state === "open" ? await closeLockedEvent(tx, locked) : event;
  const actorId = locked.actor?.id ?? null;
  const settlementId = await settleEvent(tx, { eventId: event.id, result, effectiveAt, reason, actorId });
  await resolveSpots(tx, event.id, { result, at });
  const resolved = await moveEvent(tx, { ...locked, event: closed }, "resolve", {
    result,
    resultReason: reason,
    resolvedAt: sql`coalesce(${events.resolvedAt}, ${at}::timestamptz)`,
    nextTransition: null,
    dueAt: null,
    reason,
  });
  await notifyPlayers(tx, { ...locked, event: resolved }, { settlementId, corrected: event.result !== null });
  return resolved;
}

function requireVerdict({ at }: LockedEvent, { result, effectiveAt }: Verdict): EventResult {
  if (result === null) throw invalid({ result: ["is required"] });
  if (effectiveAt && effectiveAt.getTime() > Date.parse(at)) {
    throw invalid({ effectiveAt: ["is invalid"] }, { detail: "It lies in the future." });
  }
  return result;
}

/** The same result once more, without another moment, changes nothing. */
async function isSettledSo(
  tx: Transaction,
  event: EventRow,
  { result, effectiveAt }: { result: EventResult; effectiveAt: Date | null },
): Promise<boolean> {
  if (event.result !== result) return false;
  if (effectiveAt === null) return true;
  const live = await findSettlement(tx, event.id);
  return live?.effectiveAt?.getTime() === effectiveAt.getTime();
}

/** A correction says why, except to whoever made the result a few seconds ago. */
async function requireReason(
  tx: Transaction,
  locked: LockedEvent,
  { reason }: Verdict,
): Promise<string | null> {
  if (locked.event.result === null || reason) return reason || null;
  if (await isUndo(tx, locked)) return UNDO_REASON;
  throw invalid({ reason: ["is required"] });
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
