import type { Side } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";

type Pool = EventView["pool"];

/**
 * What a player's wagers on a side could pay, in cents, if that side won and nobody else called: floor(pool x wagers / winning
 * pool). If the other side is empty, these are the wagers themselves: everybody has them back.
 * @param ownCents of the player, which are in the pool already.
 * @param moreCents one more wager, which is not.
 */
export function couldPayCents(
  pool: Pool,
  side: Side,
  { ownCents, moreCents = 0 }: { ownCents: number; moreCents?: number },
): number {
  const winning = centsOn(pool, side) + moreCents;
  const own = ownCents + moreCents;
  return winning === 0 ? own : Math.floor(((pool.totalCents + moreCents) * own) / winning);
}

/** True where nobody has called the other side. */
export function isUnopposed(pool: Pool, side: Side): boolean {
  return centsOn(pool, side) === pool.totalCents;
}

function centsOn(pool: Pool, side: Side): number {
  return side === "true" ? pool.trueCents : pool.falseCents;
}
