import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { isLargeSettlement, raiseStatementTimeout } from "#db/ledger/large-settlement.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { payWholeSettlement } from "#db/ledger/pay-settlement-part.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { conflict, invalid } from "#src/base/refusal.ts";
import { activeCallStates } from "#src/play/calls/contract.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { updateScores } from "#src/play/leaderboard/repair-scores.ts";
import {
  correctionsOf,
  notifyCorrections,
  notifyRefunds,
  refundsOf,
} from "#src/play/settlements/conclude-part.ts";
import { stillPaying } from "#src/play/settlements/pay-settlement.ts";
import { resetSpots } from "#src/play/spots/move-spots.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { noDecision } from "./resolve-event.ts";
import { hasCalls } from "./update-event.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** The ledger needs a reason to reverse a settlement. This one is used if the event has no calls, and thus needs none. */
const EMPTY_REASON = "Reset.";

/**
 * Turns an event back into a draft, for a new round: refunds its active calls, reverses its payouts by compensating entries,
 * and clears its times.
 * @throws Refusal 422 for an event in another state, or for a missing reason although money moves; 403 for an actor who has a
 *   call on the event; 409 for a large settlement that was not voided first.
 */
export function resetEvent(
  deps: Deps,
  command: EventCommand & { reason?: string | null },
): Promise<EventRow> {
  return withEvent(deps, command, async (tx, locked) => {
    requireTransition(locked, "reset");
    await requireNoStake(tx, locked, "reset it");
    const reason = command.reason || null;
    // After a void everything is refunded already.
    const mayMoveMoney = locked.event.result !== "void";
    if (reason === null && mayMoveMoney && (await hasCalls(tx, locked.event)))
      throw invalid({ reason: ["is required"] });
    return resetLockedEvent(tx, locked, reason);
  });
}

/** Resets an event as part of a larger change, within a transaction that holds its gate. The caller has checked the transition. */
export async function resetLockedEvent(
  tx: Transaction,
  locked: LockedEvent,
  reason: string | null,
): Promise<EventRow> {
  await requireReversible(tx, locked);
  await reverseSettlement(tx, locked, reason);
  await refundCalls(tx, locked, { cause: "reset", reason });
  await resetSpots(tx, locked.event.id);
  const draft = await moveEvent(tx, locked, "reset", {
    ...newRound,
    nextTransition: null,
    dueAt: null,
    reason,
  });
  await updateScores(tx, draft.id);
  return draft;
}

/**
 * A new round starts only when all money of the old one is returned. A large settlement is too slow to reverse in one
 * transaction; a void refunds it in parts. Any other is reversed here, also before it is paid.
 */
async function requireReversible(tx: Transaction, { event }: LockedEvent): Promise<void> {
  if (!(await isLargeSettlement(tx, event.id))) return;
  const [unpaid] = await listUnpaidSettlements(tx, [event.id]);
  if (unpaid !== undefined) throw stillPaying(unpaid, "Reset it afterwards.");
  if (event.result !== "void") {
    throw conflict(
      "It has too many calls to be reset at once. Resolve it as void, and reset it when all are refunded.",
    );
  }
  // As many scores change.
  await raiseStatementTimeout(tx);
}

/**
 * Voids the settlement and refunds everybody. A player who was not paid yet gets the wager back, another one the difference.
 */
async function reverseSettlement(tx: Transaction, locked: LockedEvent, reason: string | null): Promise<void> {
  const { event, actor } = locked;
  if (event.result === null) return;
  if (event.result !== "void") {
    const actorId = actor?.id ?? null;
    await settleEvent(tx, { eventId: event.id, result: "void", reason: reason ?? EMPTY_REASON, actorId });
  }
  const paid = await payWholeSettlement(tx, event.id);
  await notifyRefunds(tx, locked, refundsOf(paid), {
    cause: "the host reset it",
    reason: reason ?? event.resultReason,
  });
  await notifyCorrections(tx, locked, correctionsOf(paid), { what: "Result withdrawn", reason });
}

const newRound = {
  ...noDecision,
  round: sql`${events.round} + 1`,
  result: null,
  resultReason: null,
  publishedAt: null,
  opensAt: null,
  openedAt: null,
  closesAt: null,
  closedAt: null,
  resolveBy: null,
  resolvedAt: null,
};

/**
 * Destroys every active call of an event, whose gate is held, and refunds the wagers. Each player gets the
 * calls and the wallet as they are then, and a notification with the cause and the reason.
 */
export async function refundCalls(
  tx: Transaction,
  locked: LockedEvent,
  { cause, reason }: { cause: "skip" | "reset"; reason: string | null },
): Promise<void> {
  const { event } = locked;
  const refunds = await tx
    .select({
      userId: calls.userId,
      amountCents: sql<number>`sum(${calls.wagerCents})`.mapWith(Number),
    })
    .from(calls)
    .where(and(eq(calls.eventId, event.id), inArray(calls.state, [...activeCallStates])))
    .groupBy(calls.userId)
    .orderBy(calls.userId);
  if (refunds.length === 0) return;
  const refunded = await refundActiveCalls(tx, { eventId: event.id, cause });
  await writeFacts(
    tx,
    refunded.map(({ callId }) => ({ kind: "call_cancelled", callId })),
  );
  await notifyRefunds(tx, locked, refunds, { cause: causes[cause], reason });
}

const causes = { skip: "the host skipped it", reset: "the host reset it" } as const;
