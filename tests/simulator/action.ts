import type { Dice } from "#src/base/dice.ts";
import { pick, type World } from "./world.ts";

/** An action of an admin. */
export type Action<State, Run> = {
  name: string;
  /** How often it is chosen, relative to the others. */
  weight: number;
  /** The states in which the transition table allows it. */
  from: readonly State[];
  run: Run;
};

/** How often an allowed action is chosen; otherwise any action. */
const LEGAL_SHARE = 0.75;

/** Chooses an action for an event or a session in this state. */
export function chooseAction<State, Run>(
  dice: Dice,
  actions: readonly Action<State, Run>[],
  state: State | undefined,
): Action<State, Run> {
  const legal = actions.filter(({ from }) => from.some((each) => each === state));
  const candidates = legal.length > 0 && dice.chance(LEGAL_SHARE) ? legal : actions;
  return pick(
    dice,
    candidates.flatMap((action) => Array.from({ length: action.weight }, () => action)),
  );
}

/** Mostly the second admin, who does not play: the first one's own calls forbid most actions (conflict of interest). */
export function pickAdmin({ dice, admins }: World): { label: string; actor: { id: number } } {
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return { label: `admin ${index + 1}`, actor };
}
