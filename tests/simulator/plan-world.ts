import type { Dice } from "#jobs/demo/dice.ts";
import { type EventPlan, pick, type WorldPlan } from "./world.ts";

const PLAYERS = 4;

/** A small world as the dice fall: one or two sessions with a few events, players with a little money, a queue with bad habits. */
export function planWorld(dice: Dice): WorldPlan {
  // Half of the habits are good ones, which leaves the rest to go wrong.
  const often = () => (dice.chance(0.5) ? 0 : dice.between(5, 60) / 100);
  const leadSeconds = dice.between(0, 8);
  const show = (events: number) => Array.from({ length: events }, () => planEvent(dice, leadSeconds));
  return {
    faults: { late: often(), twice: often(), never: often(), early: often() },
    sweepPhaseMs: dice.between(0, 999),
    grantsCents: Array.from({ length: PLAYERS + 1 }, () => dice.between(200, 6_000)),
    settings: {
      leadSeconds,
      settlementDelaySeconds: dice.chance(0.6) ? 0 : dice.between(1, 12),
      slowModeSeconds: 0,
      smallRoom: dice.chance(0.3),
    },
    // Now and then a few calls are a crowd already, and are paid one or two at a time.
    paying: dice.chance(0.1) ? { atOnceMax: dice.between(0, 3), partMax: dice.between(1, 2) } : null,
    shows: dice.chance(0.3) ? [show(dice.between(2, 4)), show(1)] : [show(dice.between(2, 4))],
  };
}

/** A random result is left out: it depends on the row's number, which is another one when the seed is played alone. */
function planEvent(dice: Dice, leadSeconds: number): EventPlan {
  return {
    startMode: dice.chance(0.8) ? "after_previous" : "offset",
    offsetSeconds: dice.between(0, 12),
    durationSeconds: dice.between(5, 30),
    leadSeconds,
    resolveWithinSeconds: dice.between(0, 10),
    autoResult: pick(dice, [null, null, "true", "false"] as const),
    minWagerCents: dice.chance(0.2) ? 50 : 1,
    maxWagerCents: dice.chance(0.3) ? dice.between(100, 900) : null,
  };
}
