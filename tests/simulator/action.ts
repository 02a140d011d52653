import type { Dice } from "#jobs/demo/dice.ts";
import { pick, type World } from "./world.ts";

/** Something that an admin may press. */
export type Action<State, Do> = {
  name: string;
  /** How often, beside the others. */
  weight: number;
  /** Where the tables of states let it do something. */
  from: readonly State[];
  run: Do;
};

/** This often something is pressed that the tables allow; else whatever the finger falls on. */
const LEGAL_SHARE = 0.75;

/** What is pressed on a thing in that state. */
export function chooseAction<State, Do>(
  dice: Dice,
  actions: readonly Action<State, Do>[],
  state: State | undefined,
): Action<State, Do> {
  const legal = actions.filter(({ from }) => from.some((each) => each === state));
  const candidates = legal.length > 0 && dice.chance(LEGAL_SHARE) ? legal : actions;
  return pick(
    dice,
    candidates.flatMap((press) => Array.from({ length: press.weight }, () => press)),
  );
}

/** Mostly the second admin, who does not play: to most of what the first one presses, an own call may stand in the way. */
export function pickAdmin({ dice, admins }: World): { who: string; actor: { id: number } } {
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return { who: `admin ${index + 1}`, actor };
}
