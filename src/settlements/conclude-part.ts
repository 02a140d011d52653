import type { Transaction } from "#db/client.ts";
import type { PaidPart, PaidPlayer } from "#db/ledger/pay-settlement-part.ts";
import { updateScores, type PlayerRange } from "#src/leaderboard/update-scores.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
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
  const reason = event.resultReason;
  await updateScores(tx, event.id, rangeOf(players));
  await notifyRefunds(tx, about, refundsOf(players), reason);
  await notifyCorrections(tx, about, correctionsOf(players), { now: `Now ${resultLabel(event)}.`, reason });
  if (isLast) await writeFact(tx, { kind: "event_changed", eventId: event.id, change: "pay" });
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
  if (result === "void") return "void";
  return result === "true" ? trueLabel : falseLabel;
}
