import { type Side, sides } from "#db/lists/spots.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { Arrivals } from "./read-arrivals.ts";
import type { LateMoney, Pace } from "./schemas.ts";

/** Fewer earlier shares do not say what is usual. */
const USUAL_FROM = 3;
/** A share of the money in fewer calls is one player's choice: it is no alarm, and it does not say that all is well either. */
const CALLS_MIN = 8;
/** A lower share is no alarm, however unusual it is. */
const ALARM_SHARE_MIN = 0.3;
/** A share of this many times the usual one is an alarm. */
const ALARM_TIMES = 3;
/** This share is an alarm, also where much comes late as a rule. */
const ALARM_SHARE_MAX = 0.9;
const SHARE_DIGITS = 4;

/**
 * Judges the money that came in the last second before the close: who knows the result then, because a broadcast is behind the
 * field, bets on it with all they have. Example: 45 % of a side's money came in the last second, where 6 % are usual. Each side is
 * judged, and both together. Late money in too few calls is reported as such.
 * @param earlier the arrivals of the session's own events that closed before it, one list for each.
 * @param openSeconds for how long the event was open. Where nothing is usual yet, its calls would come evenly.
 */
export function judgeLateMoney(
  arrivals: readonly Arrivals[],
  earlier: readonly (readonly Arrivals[])[],
  openSeconds: number,
): NonNullable<Pace["late"]> {
  const shares = earlier
    .flatMap((each) => sides.map((side) => totalsOf(each, side)))
    .filter(({ callsCount }) => callsCount >= CALLS_MIN)
    .map(shareOf);
  const usualShare = shares.length < USUAL_FROM ? null : middleOf(shares);
  const usual = usualShare ?? 1 / Math.max(1, openSeconds);
  const alarmShare = Math.min(ALARM_SHARE_MAX, Math.max(ALARM_SHARE_MIN, usual * ALARM_TIMES));
  return {
    sides: sides.map((side) => ({ side, ...judge(totalsOf(arrivals, side), alarmShare) })),
    ...judge(totalsOf(arrivals), alarmShare),
    usualShare: usualShare === null ? null : rounded(usualShare),
    alarmShare: rounded(alarmShare),
  };
}

type Totals = { callsCount: number; totalCents: number; lateCents: number };

function judge(totals: Totals, alarmShare: number): LateMoney {
  const { callsCount, totalCents, lateCents } = totals;
  const isEnough = callsCount >= CALLS_MIN;
  return {
    late: dollarsOf(lateCents),
    lateCents,
    total: dollarsOf(totalCents),
    totalCents,
    share: rounded(shareOf(totals)),
    alarm: isEnough && shareOf(totals) >= alarmShare,
    tooFew: !isEnough && lateCents > 0,
  };
}

/** @param side left out: both together. */
function totalsOf(arrivals: readonly Arrivals[], side?: Side): Totals {
  const own = side === undefined ? arrivals : arrivals.filter((each) => each.side === side);
  const sum = (steps: readonly Arrivals[]) => steps.reduce((total, { wagerCents }) => total + wagerCents, 0);
  return {
    callsCount: own.reduce((total, { calls }) => total + calls, 0),
    totalCents: sum(own),
    lateCents: sum(own.filter(({ second }) => second === 0)),
  };
}

function shareOf({ totalCents, lateCents }: Totals): number {
  return totalCents === 0 ? 0 : lateCents / totalCents;
}

function middleOf(shares: readonly number[]): number {
  const sorted = shares.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function rounded(share: number): number {
  return Number(share.toFixed(SHARE_DIGITS));
}
