import type { Dice } from "#jobs/demo/dice.ts";
import { pick, type World } from "./world.ts";

/** Something that an admin may press. */
export type Press<State, Do> = {
  name: string;
  /** How often, beside the others. */
  weight: number;
  /** Where the tables of states let it do something. */
  from: readonly State[];
  press: Do;
};

/** This often something is pressed that the tables allow; else whatever the finger falls on. */
const FITTING = 0.75;

/** What is pressed on a thing in that state. */
export function choosePress<State, Do>(
  dice: Dice,
  presses: readonly Press<State, Do>[],
  state: State | undefined,
): Press<State, Do> {
  const fitting = presses.filter(({ from }) => from.some((each) => each === state));
  const among = fitting.length > 0 && dice.chance(FITTING) ? fitting : presses;
  return pick(
    dice,
    among.flatMap((press) => Array.from({ length: press.weight }, () => press)),
  );
}

/** Mostly the second admin, who does not play: to most of what the first one presses, an own call may stand in the way. */
export function pickAdmin({ dice, admins }: World): { who: string; actor: { id: number } } {
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return { who: `admin ${index + 1}`, actor };
}
