import type { Transaction } from "#db/client.ts";
import type { PaidPlayer } from "#db/ledger/pay-settlement-part.ts";
import { keepResults, type PlayerRange } from "#src/leaderboard/keep-results.ts";
import { notifyCorrections, notifyRefunds, type SettledEvent } from "./notify-players.ts";

/**
 * What follows from paying players of an event, in the same transaction: their results and scores, and word to those whose
 * wagers came back, or who are paid otherwise than before.
 * @param players all of the event, or those of a part of it, in the order of their ids.
 */
export async function concludePart(
  tx: Transaction,
  about: SettledEvent,
  players: readonly PaidPlayer[],
): Promise<void> {
  const { event } = about;
  const reason = event.resultReason;
  await keepResults(tx, event.id, rangeOf(players));
  const refunds = players.filter(({ refundedCents }) => refundedCents !== 0);
  await notifyRefunds(
    tx,
    about,
    refunds.map(({ userId, refundedCents: amountCents }) => ({ userId, amountCents })),
    reason,
  );
  await notifyCorrections(tx, about, correctionsOf(players), { now: `Now ${wordOf(event)}.`, reason });
}

/** Those of the players who are paid otherwise than before. */
export function correctionsOf(players: readonly PaidPlayer[]): { userId: number; changeCents: number }[] {
  return players
    .filter(({ correctedCents }) => correctedCents !== 0)
    .map(({ userId, correctedCents: changeCents }) => ({ userId, changeCents }));
}

function rangeOf(players: readonly PaidPlayer[]): PlayerRange {
  return { from: players[0]?.userId ?? 0, to: players.at(-1)?.userId ?? 0 };
}

function wordOf({ result, trueLabel, falseLabel }: SettledEvent["event"]): string {
  if (result === "void") return "void";
  return result === "true" ? trueLabel : falseLabel;
}
