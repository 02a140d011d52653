import { and, desc, eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { findSettlement } from "#db/ledger/find-settlement.ts";
import type { EventResult } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { startPaying } from "#src/settlements/start-paying.ts";
import { closeLockedEvent } from "./close-event.ts";
import { requireTransition } from "./move-event.ts";
import { noteResult } from "./note-result.ts";
import { readSettings } from "./read-settings.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { type Decision, settleResult } from "./settle-result.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** For this long the admin who resolved an event may correct the result without a reason. */
const UNDO_WITHIN_MS = 10_000;
/** The reason that players read after such a correction. */
const UNDO_REASON = "Corrected at once.";

/** The outcome of an event, as an admin or the event's plan states it. */
export type Verdict = {
  /** Null: missing, which is refused. */
  result: EventResult | null;
  /** Calls placed at or after this moment are refunded; the rest is settled. */
  effectiveAt?: Date | null;
  /** Players see it. A correction needs one, unless the admin who resolved corrects within 10 s. */
  reason?: string | null;
};

/**
 * Resolves an event and pays its calls. An open event is closed first, in the same transaction. With a settlement delay the
 * event stays closed with a pending result, which its timer pays; until then another result replaces the pending one. On a
 * resolved event the same result changes nothing, and another result is a correction by compensating entries. A correction
 * supersedes a settlement that is still being paid instead of waiting for it. A large settlement is paid in parts, after
 * the response.
 * @throws Refusal 422 for an event in another state, a missing result, a correction without a reason, or an `effectiveAt` in
 *   the future; 403 for an actor who has a call on the event.
 */
export async function resolveEvent(deps: Deps, command: EventCommand & Verdict): Promise<EventRow> {
  const resolved = await withEvent(deps, command, (tx, locked) => {
    requireTransition(locked, "resolve");
    return locked.timed && locked.event.pendingResult !== null
      ? payPending(tx, locked, locked.event.pendingResult)
      : decide(tx, locked, command);
  });
  await startPaying(deps, resolved.id);
  return resolved;
}

/** Pays the pending result after the delay. The ledger's actor is the admin who decided. */
function payPending(tx: Transaction, locked: LockedEvent, result: EventResult): Promise<EventRow> {
  const { pendingById, pendingEffectiveAt: effectiveAt, pendingReason: reason } = locked.event;
  const actor = pendingById === null ? null : { id: pendingById };
  return settleResult(tx, { ...locked, actor }, { result, effectiveAt, reason });
}

async function decide(tx: Transaction, locked: LockedEvent, verdict: Verdict): Promise<EventRow> {
  const result = requireVerdict(locked, verdict);
  const { event } = locked;
  const effectiveAt = verdict.effectiveAt ?? null;
  if (await isSameDecision(tx, event, { result, effectiveAt })) return event;
  const decision = { result, effectiveAt, reason: await requireReason(tx, locked, verdict) };
  await requireNoStake(tx, locked, "resolve");
  const closed = event.state === "open" ? await closeLockedEvent(tx, locked) : event;
  return conclude(tx, { ...locked, event: closed }, decision);
}

/** Only a first result waits for the delay; a correction and a void of an event that nobody resolved in time do not. */
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

/** True for the current result again: without an `effectiveAt`, or with the one that it was settled with. */
async function isSameDecision(
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

/** Refuses a correction without a reason, unless it is an undo. */
async function requireReason(
  tx: Transaction,
  locked: LockedEvent,
  { reason }: Verdict,
): Promise<string | null> {
  if (locked.event.result === null || reason) return reason || null;
  if (await isUndo(tx, locked)) return UNDO_REASON;
  throw invalid({ reason: ["is required"] });
}

/**
 * True if the same admin resolved the event moments ago. Another admin must give a reason: two admins who decide at the same
 * time must not overrule each other silently.
 */
async function isUndo(tx: Transaction, { event, actor, at }: LockedEvent): Promise<boolean> {
  if (actor === null || event.resolvedAt === null) return false;
  if (Date.parse(at) - event.resolvedAt.getTime() > UNDO_WITHIN_MS) return false;
  const [latest] = await tx
    .select({ actorId: audit.actorId })
    .from(audit)
    .where(and(eq(audit.subjectType, "event"), eq(audit.subjectId, event.id), eq(audit.action, "resolve")))
    .orderBy(desc(audit.id))
    .limit(1);
  return latest?.actorId === actor.id;
}
