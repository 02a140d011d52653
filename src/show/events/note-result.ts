import { type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { eventStateLabel, GRACE_MAX_MS } from "./contract.ts";
import { requireTransition, writeColumns } from "./move-event.ts";
import { readSettings, scheduleOf, voidAfter } from "./schedule.ts";
import {
  auditEvent,
  type EventCommand,
  type EventRow,
  type LockedEvent,
  sessionTime,
  withEvent,
} from "./with-event.ts";

/** The columns of an event whose result is not pending, or not any more. */
export const noPendingResult = { pendingResult: null, pendingReason: null };

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
export function noteResult(
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
export async function beginDelayAgain(
  tx: Transaction,
  locked: LockedEvent,
  graceMs: number,
): Promise<EventRow> {
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
export async function writePending(
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
