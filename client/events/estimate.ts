import type { Side } from "#db/lists/spots.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { shareOfTrue, sharesInPercent } from "../ui/pool-bar.tsx";

type Pool = EventView["pool"];

const TIMES_MAX = 99_999;

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

/**
 * A side's share of the pool, and what a wager on it could pay for each of its dollars, the wager included: "29%, pays 3.00x". It is cut
 * off and not rounded: nothing is promised. Empty where the other side is: there it pays nothing yet.
 */
export function oddsText(pool: Pool, side: Side, wagerCents: number): string {
  if (isUnopposed(pool, side)) return "";
  const percent = sharesInPercent(shareOfTrue(pool))[side];
  const times = couldPayCents(pool, side, { ownCents: 0, moreCents: wagerCents }) / wagerCents;
  return `${percent}, pays ${timesText(times, percent)}`;
}

/**
 * "3.00x", "30.0x", "300x", 99999x at most; "1.0x" behind "100%". With its percent it has 15 letters at most and so one line on the
 * smallest phone: the label above it stays where it is.
 */
function timesText(odds: number, percent: string): string {
  const times = Math.min(odds, TIMES_MAX);
  const digits = Math.max(0, (percent === "100%" ? 2 : 3) - String(Math.floor(times)).length);
  const unit = 10 ** digits;
  return `${(Math.floor(times * unit) / unit).toFixed(digits)}x`;
}

function centsOn(pool: Pool, side: Side): number {
  return side === "true" ? pool.trueCents : pool.falseCents;
}
