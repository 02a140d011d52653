import { expect } from "bun:test";
import fc from "fast-check";
import { outcomeOf } from "#src/dry-runs/simulate/play-show.ts";
import { tick, type World } from "../world.ts";
import { compareWithProduct } from "./compare.ts";
import type { Model, State } from "./model.ts";

/** One operation, in the model and in the product. */
export type Operation = {
  text: string;
  /** False if the model has nothing to apply it to. */
  isPossible: (model: Model) => boolean;
  /** @returns the model's reply, and the same operation for the product. */
  inModel: (model: Model) => { reply: string; inProduct: (world: World) => Promise<unknown> };
};

/** An operation with random input, and how often it is chosen relative to the others. */
export type WeightedOperation = { weight: number; arbitrary: fc.Arbitrary<Operation> };

/** An operation as a command of fast-check: the product must give the model's reply and be in the model's state. */
export class OperationCommand implements fc.AsyncCommand<Model, World> {
  readonly operation: Operation;

  constructor(operation: Operation) {
    this.operation = operation;
  }

  check(model: Readonly<Model>): boolean {
    return this.operation.isPossible(model);
  }

  async run(model: Model, world: World): Promise<void> {
    const { reply, inProduct } = this.operation.inModel(model);
    const outcome = await outcomeOf(inProduct(world));
    expect(outcome.text).toBe(reply);
    await compareWithProduct(model, world);
    await tick(world);
    model.nowMs += 1;
  }

  toString(): string {
    return this.operation.text;
  }
}

/** The choice of an event: one that allows the operation (`legal`), or any. */
export type EventChoice = { ordinal: number; legal: boolean; text: string };
/** Most operations are legal; the others may be refused. */
export const mostlyLegal: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 5 }).map((die) => die > 0);
export const eventChoice: fc.Arbitrary<EventChoice> = fc
  .record({ ordinal: fc.nat(11), legal: mostlyLegal })
  .map(({ ordinal, legal }) => ({
    ordinal,
    legal,
    text: legal ? `legal event ${ordinal}` : `event ${ordinal}`,
  }));

/** The index of the chosen event; a legal choice takes one in one of these states, if there is any. */
export function chooseEvent(model: Model, { ordinal, legal }: EventChoice, states: readonly State[]): number {
  const all = [...model.events.keys()];
  const allowed = all.filter((index) => states.some((state) => state === model.events[index]?.state));
  const candidates = legal && allowed.length > 0 ? allowed : all;
  return candidates[ordinal % candidates.length] ?? 0;
}

/** True if an event is in one of these states, or the choice does not need one. */
export function hasEvent(model: Model, { legal }: EventChoice, states: readonly State[]): boolean {
  return !legal || model.events.some(({ state }) => states.includes(state));
}

/** The user id of an admin or a player, by the index in the model. */
export const playerIdOf = ({ grantedCents }: World, player: number) => [...grantedCents.keys()][player] ?? 0;
