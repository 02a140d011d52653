import { expect } from "bun:test";
import type { Random } from "#src/base/random.ts";
import { outcomeOf, runUntil } from "#src/dry-runs/simulate/play-show.ts";
import { compareWithProduct } from "./model/compare.ts";
import { passTime } from "./model/event-rules.ts";
import type { Model } from "./model/model.ts";
import { pick } from "./plan-world.ts";
import { record, type World } from "./world.ts";

/** Something that somebody does, in the product and in a model of the game, which says what the product has to answer. */
export type Deed<Value = unknown> = {
  inProduct: () => Promise<Value>;
  /** Left out: the model does not know it, so it is not done in a world with a model. */
  inModel?: (model: Model) => string;
};

/**
 * Does something. In a world with a model the product must have the model's reply, and be in the model's state afterwards.
 * @param label for the trace.
 */
export async function perform<Value>(world: World, label: string, { inProduct, inModel }: Deed<Value>) {
  const { model } = world;
  const reply = model === null ? undefined : inModel?.(model);
  const outcome = await outcomeOf(inProduct());
  record(world, `${label}: ${outcome.text}`);
  if (model !== null) {
    expect(outcome.text).toBe(reply ?? "not known to the model");
    await compareWithProduct(model, world);
  }
  return outcome;
}

/** Lets time pass until a moment, with all its timers. */
export async function passUntil(world: World, untilMs: number): Promise<void> {
  const { model, clock } = world;
  if (model !== null) passTime(model, Math.max(0, untilMs - clock.nowMs()));
  await runUntil(world, untilMs);
  if (model !== null) await compareWithProduct(model, world);
}

/** An action of an admin. */
export type Action<State, Make> = {
  name: string;
  /** How often it is chosen, relative to the others. */
  weight: number;
  /** The states in which the transition table allows it. */
  from: readonly State[];
  make: Make;
  /** True for what the model does not know. */
  isUnmodelled?: true;
};

/** How often an allowed action is chosen; otherwise any action. */
const LEGAL_SHARE = 0.75;

/** Chooses an action for an event or a session in this state. */
export function chooseAction<State, Make>(
  { dice, model }: { dice: Random; model: Model | null },
  actions: readonly Action<State, Make>[],
  state: State | undefined,
): Action<State, Make> {
  const known = actions.filter(({ isUnmodelled }) => model === null || isUnmodelled === undefined);
  const legal = known.filter(({ from }) => from.some((each) => each === state));
  const candidates = legal.length > 0 && dice.chance(LEGAL_SHARE) ? legal : known;
  return pick(
    dice,
    candidates.flatMap((action) => Array.from({ length: action.weight }, () => action)),
  );
}

/** An admin, by the index among the accounts of a world. */
export type Actor = { label: string; index: number; actor: { id: number } };

/** Mostly the second admin, who does not play: the first one's own calls forbid most actions (conflict of interest). */
export function pickAdmin({ dice, admins }: World): Actor {
  const index = dice.chance(0.2) ? 0 : 1;
  const actor = admins[index];
  if (actor === undefined) throw new Error("a world has two admins");
  return { label: `admin ${index + 1}`, index, actor };
}

/** The index of an account in the model. */
export const indexOf = ({ grantedCents }: World, userId: number) => [...grantedCents.keys()].indexOf(userId);
