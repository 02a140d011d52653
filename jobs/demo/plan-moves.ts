import type { DemoRobot } from "#db/seeds/users.ts";
import { createDice } from "./dice.ts";

/** One call that a robot means to place. */
export type RobotMove = {
  /** 1 for its first on the event. */
  nth: number;
  /** After the event opened; a little after its close where the robot is too slow. */
  afterMs: number;
  wagerCents: number;
  /** It takes the smaller pool, as it stands then. */
  contrary: boolean;
  /** The side that it likes otherwise. */
  whim: "true" | "false";
  /** It takes the call back so long after; null: it does not. */
  regretAfterMs: number | null;
};

const SECOND_CALL_CHANCE = 0.3;
const LATE_CHANCE = 0.03;
const LATE_BY_MS_MAX = 400;
const REGRET_CHANCE = 0.05;
const REGRET_AFTER_MS = 2_500;
/** Nobody reads a question faster. */
const READING_MS = 900;
/** Half of the calls come in the last part of the time. */
const HASTE = 0.75;

/**
 * What a robot does on an event: always the same for the same event, whoever asks. The crowd has a favourite side that
 * changes from event to event, so that pools lean either way.
 */
export function planMoves(robot: DemoRobot, event: { key: string; durationMs: number }): RobotMove[] {
  const favour = 0.3 + 0.4 * createDice(`favour of ${event.key}`).roll();
  const dice = createDice(`${robot.username} at ${event.key}`);
  if (!dice.chance(robot.keenness)) return [];
  const calls = dice.chance(SECOND_CALL_CHANCE) ? 2 : 1;
  return Array.from({ length: calls }, (_, index) => {
    const late = dice.chance(LATE_CHANCE);
    const playableMs = event.durationMs - READING_MS;
    return {
      nth: index + 1,
      afterMs: late
        ? event.durationMs + dice.roll() * LATE_BY_MS_MAX
        : READING_MS + dice.roll() ** HASTE * playableMs,
      // Small wagers are more common than large ones.
      wagerCents: 100 * Math.ceil(dice.roll() ** 2 * robot.wagerMaxDollars + Number.EPSILON),
      contrary: dice.chance(robot.contrarian),
      whim: dice.chance(favour) ? ("true" as const) : ("false" as const),
      regretAfterMs: dice.chance(REGRET_CHANCE) ? REGRET_AFTER_MS : null,
    };
  });
}
