import { eq, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Queryable, Transaction } from "#db/client.ts";
import { isDecidedLater, raiseStatementTimeout } from "#db/ledger/large-settlement.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import { previewPayouts } from "#db/ledger/settle-event.ts";
import type { EventResult } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { settlements } from "#src/base/instruments.ts";
import { invalid, notFound, cannotTransitionWhen } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import { present } from "#src/http/present.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { startPaying } from "#src/play/settlements/pay-settlement.ts";
import { resolveSpots } from "#src/play/spots/move-spots.ts";
import { closeLockedEvent } from "./close-event.ts";
import { eventStateLabel, eventTransitions, GRACE_MAX_MS, UNDO_WITHIN_MS } from "./contract.ts";
import { measureTimer, planAfterMoves, readMoved, requireTransition, writeColumns } from "./move-event.ts";
import { readSettings, scheduleOf, voidAfter } from "./schedule.ts";
import { type EventPreview, type PreviewQuery, previewSchema } from "./schemas.ts";
import {
  auditEvent,
  type EventCommand,
  type EventRow,
  type LockedEvent,
  moveOne,
  sessionTime,
  withEvent,
} from "./with-event.ts";

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

/** The columns of an event whose result is not pending, or not any more. */
const noPendingResult = { pendingResult: null, pendingReason: null };

/** The columns of an event without any decision: undecided. */
export const noDecision = { ...noPendingResult, decidedAt: null, decidedById: null, effectiveAt: null };

type Noted = { result: EventResult; effectiveAt: Date | null; reason: string | null; delayMs: number };

const ALREADY_PAID = "The result is not pending any more. Give another result or void it instead.";

/**
 * Stores the pending result of a closed event, which its timer pays after the settlement delay. Players see it at once;
 * nobody is paid yet.
 *
 * The pending result is on the event and not in the ledger: withdrawing it therefore reverses nothing, and alarms, sweep and
 * pause treat it like any other timed transition. Stopping the session keeps it.
 */
function noteResult(
  tx: Transaction,
  locked: LockedEvent,
  { result, effectiveAt, reason, delayMs }: Noted,
): Promise<EventRow> {
  return writePending(tx, locked, {
    action: "note_result",
    reason,
    changes: {
      pendingResult: result,
      pendingReason: reason,
      decidedAt: sql`${locked.at}::timestamptz`,
      decidedById: locked.actor?.id ?? null,
      effectiveAt,
      nextTransition: "resolve",
    },
    dueAt: sql`${sessionTime(locked)}::timestamptz + ${delayMs}::int * interval '1 millisecond'`,
  });
}

/**
 * Lets the delay of a pending result begin again, for the one who decided it and has the answer only now. It never ends earlier
 * than before, and at most `GRACE_MAX_MS` later than it would have with the longest grace. Nothing changes for anybody else, and in a pause.
 */
async function beginDelayAgain(tx: Transaction, locked: LockedEvent, graceMs: number): Promise<EventRow> {
  const { event, session, actor, at } = locked;
  const { dueAt, decidedAt, decidedById, pendingResult } = event;
  const isOwn = actor !== null && decidedById === actor.id && pendingResult !== null;
  if (!isOwn || graceMs === 0 || dueAt === null || decidedAt === null) return event;
  const delayMs = readSettings(session).settlementDelaySeconds * 1_000;
  const latestMs = decidedAt.getTime() + delayMs + 2 * GRACE_MAX_MS;
  const untilMs = Math.min(Date.parse(at) + delayMs + graceMs, latestMs);
  if (delayMs === 0 || untilMs <= dueAt.getTime()) return event;
  return writePending(tx, locked, {
    action: "prolong_delay",
    reason: null,
    changes: { nextTransition: "resolve" },
    dueAt: sql`${new Date(untilMs).toISOString()}::timestamptz`,
  });
}

type PendingChange = {
  action: "note_result" | "prolong_delay" | "withdraw";
  reason: string | null;
  changes: PgUpdateSetSource<typeof events> & { nextTransition: "resolve" | null };
  dueAt: SQL | null;
};

/** Writes or clears the pending result of an event, with its fact and its audit line. The state does not change. */
async function writePending(
  tx: Transaction,
  locked: LockedEvent,
  { action, reason, changes, dueAt }: PendingChange,
): Promise<EventRow> {
  const { event } = locked;
  const changed = await writeColumns(tx, locked, { ...changes, ...scheduleOf(locked, dueAt) });
  await auditEvent(tx, locked, {
    action,
    before: { state: event.state, pendingResult: event.pendingResult },
    after: { state: changed.state, pendingResult: changed.pendingResult, dueAt: changed.dueAt },
    reason,
  });
  return changed;
}

/**
 * Withdraws the pending result of an event. No money has moved. An admin has to decide afterwards, even if the event would
 * have resolved itself.
 * @throws Refusal 422 without a pending result; 403 for an actor who has a call on the event.
 */
export function withdrawResult(
  deps: Deps,
  command: EventCommand & { reason?: string | null },
): Promise<EventRow> {
  return withEvent(deps, command, async (tx, locked) => {
    const { event, session, at } = locked;
    if (event.state === "resolved") throw cannotTransitionWhen(eventStateLabel("resolved"), ALREADY_PAID);
    requireTransition(locked, "withdraw");
    if (event.pendingResult === null) {
      throw cannotTransitionWhen(eventStateLabel(event.state), "No result waits to be paid.");
    }
    await requireNoStake(tx, locked, "withdraw it");
    const isOver = session?.state === "stopped";
    return writePending(tx, locked, {
      action: "withdraw",
      reason: command.reason || null,
      changes: { ...noDecision, autoResult: null, nextTransition: isOver ? "resolve" : null },
      dueAt: isOver ? voidAfter(at) : null,
    });
  });
}

/** A checked result, the time from which calls are refunded (null: none), and the reason. */
type Decision = { result: EventResult; effectiveAt: Date | null; reason: string | null };

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

/**
 * What a result would pay and refund. Changes nothing. Without an `effectiveAt` the event's current one counts, as when the result
 * is given without one.
 * @throws Refusal 404 for an unknown event; 422 for an event that cannot be resolved.
 */
export async function previewResult(
  db: Queryable,
  eventId: number,
  { result, effectiveAt }: PreviewQuery,
): Promise<{ preview: EventPreview }> {
  const [event] = await db
    .select({ state: events.state, effectiveAt: events.effectiveAt })
    .from(events)
    .where(eq(events.id, eventId));
  if (event === undefined || event.state === "soft_destroyed") throw notFound();
  if (!allows(eventTransitions, "resolve", event.state)) {
    throw cannotTransitionWhen(eventStateLabel(event.state));
  }
  const preview = await previewPayouts(db, {
    eventId,
    result,
    effectiveAt: effectiveMoment(event, effectiveAt),
  });
  return { preview: present(previewSchema, { result, ...preview }) };
}

function effectiveMoment(
  event: { effectiveAt: Date | null },
  effectiveAt: PreviewQuery["effectiveAt"],
): Date | null {
  if (effectiveAt === undefined) return event.effectiveAt;
  return effectiveAt === "none" ? null : effectiveAt;
}
