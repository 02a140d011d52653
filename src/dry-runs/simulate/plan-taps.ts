import type { Side } from "#db/lists/spots.ts";
import type { Play, PlannedTap } from "./play.ts";

/** How many of 100 players call on an action, and how many of these call twice. */
const TAKE_PART_PERCENT = 85;
const TWICE_PERCENT = 10;
/** The buttons of the page, and how often each is used. */
const wagersCents = [100, 100, 100, 100, 500, 500, 1_000, 2_000];
/** A late tap is made in the last second before the close. */
const LATE_MS = 1_000;
/** Nobody taps earlier than this after the opening. */
const FIRST_TAP_MS = 500;

/** What the crowd calls, and what will happen. */
type Expectation = { favourite: Side; outcome: Side };

/**
 * Draws what will happen on an event, and which side the crowd favours. The favourite wins as often as players call it: a crowd
 * with a skew of 80 is right four times out of five.
 */
export function expectOutcome({ dice, options, plan }: Play, event: number): Expectation {
  const planned = plan.events[event]?.autoResult;
  const drawn: Side = dice.chance(0.5) ? "true" : "false";
  const outcome = planned === "true" || planned === "false" ? planned : drawn;
  const isRight = dice.chance(options.skew / 100);
  return { outcome, favourite: isRight ? outcome : otherOf(outcome) };
}

/** The taps of all players on an event that has just opened. */
export function planTaps(
  play: Play,
  event: number,
  {
    favourite,
    opensAtMs,
    closesAtMs,
  }: Pick<Expectation, "favourite"> & { opensAtMs: number; closesAtMs: number },
): PlannedTap[] {
  const { dice, options, players } = play;
  return players.flatMap((_, player) => {
    if (!dice.chance(TAKE_PART_PERCENT / 100)) return [];
    const side = dice.chance(options.skew / 100) ? favourite : otherOf(favourite);
    const count = dice.chance(TWICE_PERCENT / 100) ? 2 : 1;
    return Array.from({ length: count }, (): PlannedTap => {
      const tappedAtMs = tapAt(play, { opensAtMs, closesAtMs });
      return {
        event,
        player,
        side,
        wagerCents: wagerOf(play, event),
        tappedAtMs,
        arrivedAtMs: tappedAtMs + latencyOf(play),
      };
    });
  });
}

function tapAt(
  { dice, options }: Play,
  { opensAtMs, closesAtMs }: { opensAtMs: number; closesAtMs: number },
) {
  const lateFromMs = Math.max(opensAtMs, closesAtMs - LATE_MS);
  if (dice.chance(options.lateTaps / 100)) return dice.between(lateFromMs, closesAtMs - 1);
  const fromMs = Math.min(opensAtMs + FIRST_TAP_MS, lateFromMs);
  return dice.between(fromMs, lateFromMs);
}

/** Between half and one and a half times the average. */
function latencyOf({ dice, options: { latencyMs } }: Play): number {
  return dice.between(Math.round(latencyMs / 2), Math.round((latencyMs * 3) / 2));
}

function wagerOf({ dice, plan }: Play, event: number): number {
  const { minWagerCents = 1, maxWagerCents = null } = plan.events[event] ?? {};
  const wagerCents = wagersCents[dice.between(0, wagersCents.length - 1)] ?? 100;
  return Math.max(minWagerCents, Math.min(wagerCents, maxWagerCents ?? wagerCents));
}

const otherOf = (side: Side): Side => (side === "true" ? "false" : "true");
