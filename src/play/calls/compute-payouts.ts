/** The fields of a call that the formula uses. */
export type StakedCall = {
  callId: number;
  side: "true" | "false";
  wagerCents: number;
  /** Microseconds since 1970. */
  placedAtUs: number;
};
export type Decided = {
  result: "true" | "false" | "void";
  /** Calls placed at or after this time are refunded; null: none. */
  effectiveAtUs: number | null;
};
export type Payout = { payoutCents: number; outcome: "won" | "lost" | "refunded" };

/** A call's part in the formula. A stake that does not count is not in the pool, and is refunded. */
export type Stake = Pick<StakedCall, "side" | "wagerCents"> & { counts: boolean };
export type Stakes = Stake & { callsCount: number };

export function stakeOf({ side, wagerCents, placedAtUs }: StakedCall, decided: Decided): Stake {
  const { result, effectiveAtUs } = decided;
  const counts = result !== "void" && (effectiveAtUs === null || placedAtUs < effectiveAtUs);
  return { side, wagerCents, counts };
}

/**
 * The payout formula. The database pays by the SQL function `payouts`; this is a second implementation, against which a
 * property test and the recomputation check the first. It stores a number for each distinct wager and none for each call.
 *
 * A winner is paid pool x own wager / winning pool, in whole cents. The remaining cents go one each to the calls with the
 * largest remainders, then to those with the lowest ids. Everybody is refunded after a void, and if nobody wins or nobody
 * loses. Example: pool 10.00, winning pool 3.00 of three calls with 1.00 each: 3.34, 3.33 and 3.33.
 * @returns a function for the payout of a call. Call it once for each call, ordered by id.
 */
export function dividePool(
  all: readonly Stakes[],
  { result }: Pick<Decided, "result">,
): (stake: Stake) => Payout {
  const counted = all.filter(({ counts }) => counts);
  const winners = counted.filter(({ side }) => side === result);
  const pools = { poolCents: sumOf(counted), winningPoolCents: sumOf(winners) };
  const isContest = pools.winningPoolCents > 0 && pools.winningPoolCents < pools.poolCents;
  const extras = isContest ? shareRemainingCents(winners, pools) : new Map<number, number>();
  return ({ side, wagerCents, counts }) => {
    if (!counts || !isContest) return { payoutCents: wagerCents, outcome: "refunded" };
    if (side !== result) return { payoutCents: 0, outcome: "lost" };
    const { floorCents, remainder } = shareOf(wagerCents, pools);
    const left = extras.get(remainder) ?? 0;
    extras.set(remainder, Math.max(0, left - 1));
    return { payoutCents: left > 0 ? floorCents + 1 : floorCents, outcome: "won" };
  };
}

type Pools = { poolCents: number; winningPoolCents: number };

/** A winner's share in whole cents, and the remainder of the division, which decides who gets the remaining cents. */
export function shareOf(
  wagerCents: number,
  { poolCents, winningPoolCents }: Pools,
): { floorCents: number; remainder: number } {
  const product = poolCents * wagerCents;
  if (Number.isSafeInteger(product)) {
    const remainder = product % winningPoolCents;
    return { floorCents: (product - remainder) / winningPoolCents, remainder };
  }
  // BigInt is far slower, so it is used only if the product exceeds the safe integers.
  const exact = BigInt(poolCents) * BigInt(wagerCents);
  const winning = BigInt(winningPoolCents);
  return { floorCents: Number(exact / winning), remainder: Number(exact % winning) };
}

/** How many calls with each remainder get one of the remaining cents. */
function shareRemainingCents(winners: readonly Stakes[], pools: Pools): Map<number, number> {
  const callsWith = new Map<number, number>();
  let remainingCents = pools.poolCents;
  for (const { wagerCents, callsCount } of winners) {
    const { floorCents, remainder } = shareOf(wagerCents, pools);
    remainingCents -= floorCents * callsCount;
    callsWith.set(remainder, (callsWith.get(remainder) ?? 0) + callsCount);
  }
  const extras = new Map<number, number>();
  for (const [remainder, count] of [...callsWith].toSorted(([one], [other]) => other - one)) {
    const cents = Math.min(count, remainingCents);
    extras.set(remainder, cents);
    remainingCents -= cents;
  }
  return extras;
}

function sumOf(stakes: readonly Stakes[]): number {
  return stakes.reduce((sum, { wagerCents, callsCount }) => sum + wagerCents * callsCount, 0);
}
