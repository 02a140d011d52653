/** A call as the formula sees it. */
export type StakedCall = {
  callId: number;
  side: "true" | "false";
  wagerCents: number;
  /** Microseconds since 1970. */
  placedAtUs: number;
};
export type Decided = {
  result: "true" | "false" | "void";
  /** Calls placed at or after it are refunded; null: none. */
  effectiveAtUs: number | null;
};
export type Payout = { payoutCents: number; outcome: "won" | "lost" | "refunded" };

/**
 * What every call of an event is paid, by call id. It is the rule of the game, written down a second time: what the
 * database paid is checked against it.
 *
 * A winner is paid the pool times the own wager, divided by what was wagered on the winning side, in whole cents. The cents
 * that are left over go one each to the largest remainders, then to the lowest call. Everybody is refunded where nobody
 * wins or nobody loses, and after a void.
 */
export function computePayouts(calls: readonly StakedCall[], decided: Decided): Map<number, Payout> {
  const counts = ({ placedAtUs }: StakedCall) =>
    decided.result !== "void" && (decided.effectiveAtUs === null || placedAtUs < decided.effectiveAtUs);
  const winners = calls.filter((call) => counts(call) && call.side === decided.result);
  const losers = calls.filter((call) => counts(call) && call.side !== decided.result);
  const payouts = new Map<number, Payout>(
    calls.map(({ callId, wagerCents }) => [callId, { payoutCents: wagerCents, outcome: "refunded" }]),
  );
  if (winners.length === 0 || losers.length === 0) return payouts;
  for (const { callId } of losers) payouts.set(callId, { payoutCents: 0, outcome: "lost" });
  for (const [callId, payoutCents] of divide(winners, sumOf(winners) + sumOf(losers))) {
    payouts.set(callId, { payoutCents, outcome: "won" });
  }
  return payouts;
}

/** What one winner's share comes to: whole cents, and the rest of the division, which decides on the cents left over. */
export function shareOf(
  wagerCents: number,
  { poolCents, winningPoolCents }: { poolCents: number; winningPoolCents: number },
): { floorCents: number; remainder: number } {
  const product = poolCents * wagerCents;
  if (Number.isSafeInteger(product)) {
    const remainder = product % winningPoolCents;
    return { floorCents: (product - remainder) / winningPoolCents, remainder };
  }
  // Slower by far, so only where a product is too large for a number.
  const exact = BigInt(poolCents) * BigInt(wagerCents);
  const winning = BigInt(winningPoolCents);
  return { floorCents: Number(exact / winning), remainder: Number(exact % winning) };
}

function divide(winners: readonly StakedCall[], poolCents: number): [callId: number, payoutCents: number][] {
  const winningPoolCents = sumOf(winners);
  const shares = winners
    .map(({ callId, wagerCents }) => ({ callId, ...shareOf(wagerCents, { poolCents, winningPoolCents }) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.callId - other.callId);
  const leftOverCents = poolCents - shares.reduce((sum, { floorCents }) => sum + floorCents, 0);
  return shares.map(({ callId, floorCents }, rank) => [
    callId,
    rank < leftOverCents ? floorCents + 1 : floorCents,
  ]);
}

function sumOf(calls: readonly StakedCall[]): number {
  return calls.reduce((sum, { wagerCents }) => sum + wagerCents, 0);
}
