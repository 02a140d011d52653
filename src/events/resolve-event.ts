import type { Transaction } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import type { EventResult } from "#src/settlements/contract.ts";
import { startPaying } from "#src/settlements/start-paying.ts";
import { closeLockedEvent } from "./close-event.ts";
import { isUndo } from "./is-undo.ts";
import { requireTransition } from "./move-event.ts";
import { noteResult } from "./note-result.ts";
import { readSettings } from "./read-settings.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { type Decision, settleResult } from "./settle-result.ts";
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
 * Resolves an event and pays: an open one is closed first, in the same transaction. Where the session has a settlement
 * delay, the result is noted and the event stays closed; its timer pays, and until then another result takes the noted
 * one's place. On a resolved event the same result changes nothing, and another one is a correction by compensating
 * entries; it need not wait until all are paid. A crowd is paid in parts, after the answer.
 * @throws Refusal 422 where the table says no, the result or a correction's reason is missing, or `effectiveAt` lies
 *   ahead; 403 for whoever has a call on the event.
 */
export async function resolveEvent(deps: Deps, order: EventOrder & Verdict): Promise<EventRow> {
  const resolved = await withEvent(deps, order, (tx, locked) => {
    requireTransition(locked, "resolve");
    return locked.timed && locked.event.pendingResult !== null
      ? payNoted(tx, locked, locked.event.pendingResult)
      : decide(tx, locked, order);
  });
  await startPaying(deps, resolved.id);
  return resolved;
}

/** The delay is over: what was decided is done, in the name of whoever decided it. */
function payNoted(tx: Transaction, locked: LockedEvent, result: EventResult): Promise<EventRow> {
  const { pendingById, pendingEffectiveAt: effectiveAt, pendingReason: reason } = locked.event;
  const actor = pendingById === null ? null : { id: pendingById };
  return settleResult(tx, { ...locked, actor }, { result, effectiveAt, reason });
}

async function decide(tx: Transaction, locked: LockedEvent, verdict: Verdict): Promise<EventRow> {
  const result = requireVerdict(locked, verdict);
  const { event } = locked;
  const effectiveAt = verdict.effectiveAt ?? null;
  if (await isDecidedSo(tx, event, { result, effectiveAt })) return event;
  const decision = { result, effectiveAt, reason: await requireReason(tx, locked, verdict) };
  await requireNoStake(tx, locked, "resolve");
  const closed = event.state === "open" ? await closeLockedEvent(tx, locked) : event;
  return conclude(tx, { ...locked, event: closed }, decision);
}

/** A correction is paid at once, and so is the refund of what nobody has resolved in time. */
function conclude(tx: Transaction, locked: LockedEvent, decision: Decision): Promise<EventRow> {
  const { event, session, timed } = locked;
  const delaySeconds = readSettings(session).settlementDelaySeconds;
  const atOnce = event.result !== null || (timed && event.autoResult === null);
  if (atOnce || delaySeconds === 0) return settleResult(tx, locked, decision);
  return noteResult(tx, locked, { ...decision, delaySeconds });
}

function requireVerdict({ at }: LockedEvent, { result, effectiveAt }: Verdict): EventResult {
  if (result === null) throw invalid({ result: ["is required"] });
  if (effectiveAt && effectiveAt.getTime() > Date.parse(at)) {
    throw invalid({ effectiveAt: ["is invalid"] }, { detail: "It lies in the future." });
  }
  return result;
}

/** The same result once more, without another moment, changes nothing. */
async function isDecidedSo(
  tx: Transaction,
  event: EventRow,
  { result, effectiveAt }: { result: EventResult; effectiveAt: Date | null },
): Promise<boolean> {
  if ((event.result ?? event.pendingResult) !== result) return false;
  if (effectiveAt === null) return true;
  const decidedAt =
    event.result === null ? event.pendingEffectiveAt : (await findSettlement(tx, event.id))?.effectiveAt;
  return decidedAt?.getTime() === effectiveAt.getTime();
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
