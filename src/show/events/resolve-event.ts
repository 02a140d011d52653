import type { Transaction } from "#db/client.ts";
import { isDecidedLater } from "#db/ledger/large-settlement.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { startPaying } from "#src/play/settlements/start-paying.ts";
import { closeLockedEvent } from "./close-event.ts";
import { UNDO_WITHIN_MS } from "./contract.ts";
import { requireTransition } from "./move-event.ts";
import { beginDelayAgain, noteResult } from "./note-result.ts";
import { readSettings } from "./schedule.ts";
import { type Decision, settleResult } from "./settle-result.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** The reason that players read after a correction that needs none. */
const UNDO_REASON = "The host put it right at once.";

/** The outcome of an event, as an admin states it. */
export type Verdict = {
  /** Null: missing, which is refused. */
  result: EventResult | null;
  /**
   * Calls placed at or after this moment are refunded; the rest is settled. Null: all calls count. Left out: that of the result
   * which this one replaces or corrects; all calls count if there is none.
   */
  effectiveAt?: Date | null;
  /** Players see it. A correction needs one, unless the admin who decided corrects within 10 s. */
  reason?: string | null;
  /** How much longer a pending result waits, because its answer takes so long to reach who decided it; at most `GRACE_MAX_MS`. */
  graceMs?: number;
};

/**
 * Decides the result of an event; a worker pays its calls after the response. An open event is closed first, in the same
 * transaction. A person's result waits for the settlement delay: the event stays closed with a pending result, which its timer
 * settles (src/show/timers/perform-transition.ts), and until then another result replaces the pending one. With more than `decide_at_once_max`
 * calls it waits for the timer even without a delay. The same result again changes nothing, except that its
 * delay begins again for who decided it and had the answer late. On a resolved event
 * another result is a correction by compensating entries, which supersedes a settlement that is still being paid.
 * @throws Refusal 422 for an event in another state, a missing result, a correction without a reason, or an `effectiveAt` in
 *   the future; 403 for an actor who has a call on the event.
 */
export async function resolveEvent(deps: Deps, command: EventCommand & Verdict): Promise<EventRow> {
  const resolved = await withEvent(deps, command, (tx, locked) => {
    requireTransition(locked, "resolve");
    return decide(tx, locked, command);
  });
  startPaying(deps, resolved);
  return resolved;
}

async function decide(tx: Transaction, locked: LockedEvent, verdict: Verdict): Promise<EventRow> {
  const result = requireVerdict(locked, verdict);
  const { event } = locked;
  const effectiveAt = verdict.effectiveAt === undefined ? event.effectiveAt : verdict.effectiveAt;
  const { graceMs = 0 } = verdict;
  if (isSameDecision(event, { result, effectiveAt })) return beginDelayAgain(tx, locked, graceMs);
  const decision = { result, effectiveAt, reason: requireReason(locked, verdict) };
  await requireNoStake(tx, locked, "resolve it");
  const closed = event.state === "open" ? await closeLockedEvent(tx, locked) : event;
  return conclude(tx, { ...locked, event: closed }, { ...decision, graceMs });
}

/**
 * Only the first result waits for the delay, and only if a person decided it: a correction and a timer's result do not. It also
 * waits, for a worker and without a delay, if deciding so many calls would take longer than a request should.
 */
async function conclude(
  tx: Transaction,
  locked: LockedEvent,
  { graceMs, ...decision }: Decision & { graceMs: number },
): Promise<EventRow> {
  const { event, session, actor } = locked;
  const delaySeconds = readSettings(session).settlementDelaySeconds;
  const mayWait = event.result === null && actor !== null;
  const waits = mayWait && (delaySeconds > 0 || (await isDecidedLater(tx, event.id)));
  if (!waits) return settleResult(tx, locked, decision);
  // In a pause the host sees the result long before its delay begins.
  const hasGrace = delaySeconds > 0 && session?.pausedAt == null;
  return noteResult(tx, locked, { ...decision, delayMs: delaySeconds * 1_000 + (hasGrace ? graceMs : 0) });
}

function requireVerdict({ at }: LockedEvent, { result, effectiveAt }: Verdict): EventResult {
  if (result === null) throw invalid({ result: ["is required"] });
  if (effectiveAt && effectiveAt.getTime() > Date.parse(at)) {
    throw invalid({ effectiveAt: ["is invalid"] }, { detail: "It lies in the future." });
  }
  return result;
}

/** True for the current result again, pending or not, with the same effective moment. */
function isSameDecision(
  event: EventRow,
  { result, effectiveAt }: { result: EventResult; effectiveAt: Date | null },
): boolean {
  const current = event.result ?? event.pendingResult;
  return current === result && event.effectiveAt?.getTime() === effectiveAt?.getTime();
}

/** Refuses a correction without a reason, unless it is an undo. */
function requireReason(locked: LockedEvent, { reason }: Verdict): string | null {
  if (locked.event.result === null || reason) return reason || null;
  if (isUndo(locked)) return UNDO_REASON;
  throw invalid({ reason: ["is required"] });
}

/**
 * True if the same admin decided the result moments ago. Another admin must give a reason: two admins who decide at the same
 * time must not overrule each other silently.
 */
function isUndo({ event: { decidedAt, decidedById }, actor, at }: LockedEvent): boolean {
  if (actor === null || decidedAt === null || actor.id !== decidedById) return false;
  return Date.parse(at) - decidedAt.getTime() <= UNDO_WITHIN_MS;
}
