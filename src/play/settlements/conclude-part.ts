import type { Transaction } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import type { PaidPart, PaidPlayer } from "#db/ledger/pay-settlement-part.ts";
import type { RefundReason } from "#db/lists/calls.ts";
import type { EventResult } from "#db/lists/events.ts";
import { labelsOf } from "#src/base/contract.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { say } from "#src/http/contract.ts";
import { refundReasonOf } from "#src/play/calls/present-settlement.ts";
import { updateScores, type PlayerRange } from "#src/play/leaderboard/update-scores.ts";
import { notifyCorrections, notifyRefunds, type SettledEvent } from "./notify-players.ts";

/**
 * Follows up the payment of a part, in the same transaction: updates the players' results and scores, and notifies the players
 * who were refunded or whose payout was corrected. The last part also announces that the event is paid.
 */
export async function concludePart(
  tx: Transaction,
  about: SettledEvent,
  { players, isLast }: PaidPart,
): Promise<void> {
  const { event } = about;
  await updateScores(tx, event.id, rangeOf(players));
  await notifyRefunded(tx, about, players);
  const what = say`Result corrected to ${resultLabel(event)}`;
  await notifyCorrections(tx, about, correctionsOf(players), { what, reason: event.resultReason });
  if (isLast) await announcePaid(tx, [event.id]);
}

/** Notifies those of these players who were refunded. */
export async function notifyRefunded(
  tx: Transaction,
  about: SettledEvent,
  players: readonly PaidPlayer[],
): Promise<void> {
  const refunds = refundsOf(players);
  if (refunds.length === 0) return;
  const { id, resultReason: reason } = about.event;
  await notifyRefunds(tx, about, refunds, { cause: await findCause(tx, id), reason });
}

/** Writes the facts that all players of these events are paid. */
export function announcePaid(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  return writeFacts(
    tx,
    eventIds.map((eventId) => ({ kind: "event_changed", eventId, change: "pay" })),
  );
}

const tooLate = "it came after the moment that decided it";
const causeOf = labelsOf<RefundReason>({
  void: "the question was called off",
  no_winner: "nobody called the result",
  no_loser: "you were right, and nobody took the other side",
  effective_at: tooLate,
});

/** Why the settlement in force refunds calls. Where it pays winners, it refunds those that came too late. */
async function findCause(tx: Transaction, eventId: number): Promise<string> {
  const settlement = (await listSettlements(tx, eventId)).at(-1);
  const reason = settlement === undefined ? null : refundReasonOf(settlement);
  return reason === null ? tooLate : causeOf(reason);
}

/** The players whose calls were refunded instead of settled, with the amount. */
export function refundsOf(players: readonly PaidPlayer[]): { userId: number; amountCents: number }[] {
  return players
    .filter(({ refundedCents }) => refundedCents !== 0)
    .map(({ userId, refundedCents: amountCents }) => ({ userId, amountCents }));
}

/** The players whose payout a correction changed, with the change. */
export function correctionsOf(players: readonly PaidPlayer[]): { userId: number; changeCents: number }[] {
  return players
    .filter(({ correctedCents }) => correctedCents !== 0)
    .map(({ userId, correctedCents: changeCents }) => ({ userId, changeCents }));
}

function rangeOf(players: readonly PaidPlayer[]): PlayerRange {
  return { from: players[0]?.userId ?? 0, to: players.at(-1)?.userId ?? 0 };
}

function resultLabel({ result, trueLabel, falseLabel }: SettledEvent["event"]): string {
  return labelsOf<EventResult>({ true: trueLabel, false: falseLabel, void: "void" })(result ?? "void");
}
