import { demoLines } from "#db/seeds/chat.ts";
import type { DemoRobot } from "#db/seeds/users.ts";
import { demoRobots } from "#db/seeds/users.ts";
import { createDice } from "#src/base/dice.ts";

/** One call that a robot plans to place. */
export type RobotMove = {
  /** 1 for its first call on the event. */
  nth: number;
  /** After the event opened; for a late robot a little after it closed. */
  afterMs: number;
  wagerCents: number;
  /** It calls the side with the smaller pool at that time. */
  prefersSmallerPool: boolean;
  /** The side that it calls otherwise. */
  preferredSide: "true" | "false";
  /** It cancels the call after this time; null: never. */
  cancelAfterMs: number | null;
};

const SECOND_CALL_CHANCE = 0.3;
const LATE_CHANCE = 0.03;
const LATE_BY_MS_MAX = 400;
const CANCEL_CHANCE = 0.05;
const CANCEL_AFTER_MS = 2_500;
/** The shortest time to read a question. */
const READING_MS = 900;
/** An exponent below 1 moves calls towards the end of the event. */
const LATENESS_EXPONENT = 0.75;

/**
 * Plans the calls of a robot on an event, always the same for the same robot and event. All robots together prefer one side,
 * which changes from event to event, so that the pools differ.
 */
export function planMoves(robot: DemoRobot, event: { key: string; durationMs: number }): RobotMove[] {
  const trueSideChance = 0.3 + 0.4 * createDice(`favour of ${event.key}`).roll();
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
        : READING_MS + dice.roll() ** LATENESS_EXPONENT * playableMs,
      // Small wagers are more common than large ones.
      wagerCents: 100 * Math.ceil(dice.roll() ** 2 * robot.wagerMaxDollars + Number.EPSILON),
      prefersSmallerPool: dice.chance(robot.contrarian),
      preferredSide: dice.chance(trueSideChance) ? ("true" as const) : ("false" as const),
      cancelAfterMs: dice.chance(CANCEL_CHANCE) ? CANCEL_AFTER_MS : null,
    };
  });
}

/** A chat message that a robot plans to send. */
export type RobotMessage = { username: string; body: string; /** After the event opened. */ afterMs: number };

/** How many events get a message of a robot; few enough for people to be read. */
const MESSAGE_CHANCE = 0.4;

/** Plans the message of one robot about an event, always the same for the same event; null for most events. */
export function planMessage(event: { key: string; durationMs: number }): RobotMessage | null {
  const dice = createDice(`small talk at ${event.key}`);
  if (!dice.chance(MESSAGE_CHANCE)) return null;
  const robot = demoRobots[dice.between(0, demoRobots.length - 1)];
  const body = demoLines[dice.between(0, demoLines.length - 1)];
  if (robot === undefined || body === undefined) return null;
  return { username: robot.username, body, afterMs: dice.roll() * event.durationMs };
}
