import type { Side } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";

type Pool = EventView["pool"];

/**
 * What one more wager on a side would return, in cents, if that side won and nobody else called:
 * floor(total pool x wager / winning pool), where both pools include the wager. If the other side is empty, this is the
 * wager itself: everybody is refunded.
 */
export function estimateCents(pool: Pool, side: Side, wagerCents: number): number {
  const total = pool.totalCents + wagerCents;
  const winning = centsOn(pool, side) + wagerCents;
  return winning === 0 ? 0 : Math.floor((total * wagerCents) / winning);
}

/** What wagers that are already in the pool would return, in cents, if their side won. */
export function currentReturnCents(pool: Pool, side: Side, wageredCents: number): number {
  const winning = centsOn(pool, side);
  return winning === 0 ? wageredCents : Math.floor((pool.totalCents * wageredCents) / winning);
}

function centsOn(pool: Pool, side: Side): number {
  return side === "true" ? pool.trueCents : pool.falseCents;
}
