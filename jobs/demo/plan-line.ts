import { demoLines } from "#db/seeds/chat.ts";
import { demoRobots } from "#db/seeds/users.ts";
import { createDice } from "./dice.ts";

/** What a robot means to say. */
export type RobotLine = { username: string; body: string; /** After the event opened. */ afterMs: number };

/** At most so often a robot says something about an event, so that people are not drowned out. */
const TALKATIVE_CHANCE = 0.4;

/** What is said about an event by one of the robots: always the same for the same event; mostly nothing. */
export function planLine(event: { key: string; durationMs: number }): RobotLine | null {
  const dice = createDice(`small talk at ${event.key}`);
  if (!dice.chance(TALKATIVE_CHANCE)) return null;
  const robot = demoRobots[dice.between(0, demoRobots.length - 1)];
  const body = demoLines[dice.between(0, demoLines.length - 1)];
  if (robot === undefined || body === undefined) return null;
  return { username: robot.username, body, afterMs: dice.roll() * event.durationMs };
}
