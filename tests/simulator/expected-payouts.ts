/** The fields of a call that a settlement reads. */
export type Stake = { id: number; side: "true" | "false"; wagerCents: number; placedMs: number };
export type Payout = { payoutCents: number; outcome: "won" | "lost" | "refunded" };

/**
 * What a settlement pays, implemented independently of the product's SQL. The pool is divided among the winners by their
 * wagers; left-over cents go one each to the largest remainders, then to the lowest call id. A wager is refunded if there is
 * no winner or no loser, after a void, and if the call was placed at or after `effectiveMs`.
 */
export function payOut(
  stakes: readonly Stake[],
  { result, effectiveMs }: { result: "true" | "false" | "void"; effectiveMs: number | null },
): Map<number, Payout> {
  const counts = (stake: Stake) =>
    result !== "void" && (effectiveMs === null || stake.placedMs < effectiveMs);
  const counted = stakes.filter(counts);
  const winners = counted.filter(({ side }) => side === result);
  const pool = sumOf(counted);
  const winning = sumOf(winners);
  const paid = new Map<number, Payout>(
    stakes.map(({ id, wagerCents }) => [id, { payoutCents: wagerCents, outcome: "refunded" }]),
  );
  if (winning === 0n || winning === pool) return paid;
  for (const { id } of counted) paid.set(id, { payoutCents: 0, outcome: "lost" });
  const shares = winners.map(({ id, wagerCents }) => {
    const product = pool * BigInt(wagerCents);
    return { id, base: product / winning, remainder: product % winning };
  });
  shares.sort((one, other) => Number(other.remainder - one.remainder) || one.id - other.id);
  const leftOver = Number(pool - shares.reduce((total, { base }) => total + base, 0n));
  for (const [rank, { id, base }] of shares.entries()) {
    paid.set(id, { payoutCents: Number(base) + (rank < leftOver ? 1 : 0), outcome: "won" });
  }
  return paid;
}

const sumOf = (stakes: readonly Stake[]) =>
  stakes.reduce((total, { wagerCents }) => total + BigInt(wagerCents), 0n);
