import type { Transaction } from "#db/client.ts";
import type { PaidPlayer } from "#db/ledger/pay-settlement-part.ts";
import { updateScores, type PlayerRange } from "#src/leaderboard/update-scores.ts";
import { notifyCorrections, notifyRefunds, type SettledEvent } from "./notify-players.ts";

/**
 * Follows up a payment, in the same transaction: updates the players' results and scores, and notifies the players who were
 * refunded or whose payout was corrected.
 * @param players all players of the event, or those of one part, ordered by id.
 */
export async function concludePart(
  tx: Transaction,
  about: SettledEvent,
  players: readonly PaidPlayer[],
): Promise<void> {
  const { event } = about;
  const reason = event.resultReason;
  await updateScores(tx, event.id, rangeOf(players));
  const refunds = players.filter(({ refundedCents }) => refundedCents !== 0);
  await notifyRefunds(
    tx,
    about,
    refunds.map(({ userId, refundedCents: amountCents }) => ({ userId, amountCents })),
    reason,
  );
  await notifyCorrections(tx, about, correctionsOf(players), { now: `Now ${resultLabel(event)}.`, reason });
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
