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

/** What the formula asks of a call. What does not count is not in the pool, and is refunded. */
export type Stake = Pick<StakedCall, "side" | "wagerCents"> & { counts: boolean };
/** Calls that are alike to the formula, and how many they are. */
export type Stakes = Stake & { callsCount: number };

/**
 * What every call of an event is paid, by call id. It is the rule of the game, written down a second time: what the
 * database paid is checked against it.
 */
export function computePayouts(calls: readonly StakedCall[], decided: Decided): Map<number, Payout> {
  const staked = calls
    .toSorted((one, other) => one.callId - other.callId)
    .map((call) => ({ callId: call.callId, stake: stakeOf(call, decided) }));
  const pay = dividePool(
    staked.map(({ stake }) => ({ ...stake, callsCount: 1 })),
    decided,
  );
  return new Map(staked.map(({ callId, stake }) => [callId, pay(stake)]));
}

/** What the formula asks of a call once it is decided. */
export function stakeOf({ side, wagerCents, placedAtUs }: StakedCall, decided: Decided): Stake {
  const { result, effectiveAtUs } = decided;
  const counts = result !== "void" && (effectiveAtUs === null || placedAtUs < effectiveAtUs);
  return { side, wagerCents, counts };
}

/**
 * The formula for a whole pool, however many calls there are: it keeps a number for each wager and none for each call.
 *
 * A winner is paid the pool times the own wager, divided by what was wagered on the winning side, in whole cents. The cents
 * that are left over go one each to the largest remainders, then to the lowest call. Everybody is refunded where nobody
 * wins or nobody loses, and after a void.
 * @returns what a call is paid. It is to be asked for each call once, in the order of their ids.
 */
export function dividePool(
  all: readonly Stakes[],
  { result }: Pick<Decided, "result">,
): (stake: Stake) => Payout {
  const counted = all.filter(({ counts }) => counts);
  const winners = counted.filter(({ side }) => side === result);
  const pools = { poolCents: sumOf(counted), winningPoolCents: sumOf(winners) };
  const isContest = pools.winningPoolCents > 0 && pools.winningPoolCents < pools.poolCents;
  const extras = isContest ? shareLeftOver(winners, pools) : new Map<number, number>();
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

/** What one winner's share comes to: whole cents, and the rest of the division, which decides on the cents left over. */
export function shareOf(
  wagerCents: number,
  { poolCents, winningPoolCents }: Pools,
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

/** How many calls with each remainder get one of the cents that are left over. */
function shareLeftOver(winners: readonly Stakes[], pools: Pools): Map<number, number> {
  const callsWith = new Map<number, number>();
  let leftOverCents = pools.poolCents;
  for (const { wagerCents, callsCount } of winners) {
    const { floorCents, remainder } = shareOf(wagerCents, pools);
    leftOverCents -= floorCents * callsCount;
    callsWith.set(remainder, (callsWith.get(remainder) ?? 0) + callsCount);
  }
  const extras = new Map<number, number>();
  for (const [remainder, count] of [...callsWith].toSorted(([one], [other]) => other - one)) {
    const cents = Math.min(count, leftOverCents);
    extras.set(remainder, cents);
    leftOverCents -= cents;
  }
  return extras;
}

function sumOf(stakes: readonly Stakes[]): number {
  return stakes.reduce((sum, { wagerCents, callsCount }) => sum + wagerCents * callsCount, 0);
}
