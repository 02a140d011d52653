import { expect } from "bun:test";
import fc from "fast-check";
import { outcomeOf } from "../outcome.ts";
import { tick } from "../run-until.ts";
import type { World } from "../world.ts";
import { compareWithProduct } from "./compare.ts";
import type { Model, State } from "./model.ts";

/** One thing that somebody does, in the model and in the product. */
export type Operation = {
  text: string;
  /** False where there is nothing that it could be done to. */
  isPossible: (model: Model) => boolean;
  /** @returns the reply, and the same deed for the product. */
  inModel: (model: Model) => { reply: string; inProduct: (world: World) => Promise<unknown> };
};

/** Deeds, and how often beside the others. */
export type WeightedOperation = { weight: number; arbitrary: fc.Arbitrary<Operation> };

/** A deed as fast-check plays it: the product must reply as the model does, and stand where it stands. */
export class OperationCommand implements fc.AsyncCommand<Model, World> {
  readonly operation: Operation;

  constructor(deed: Operation) {
    this.operation = deed;
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

/** Which event is meant: one that fits, or any. */
export type EventChoice = { ordinal: number; legal: boolean; text: string };
/** Most do what can be done; the others whatever comes to their mind, and are refused. */
export const mostlyLegal: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 5 }).map((die) => die > 0);
export const eventChoice: fc.Arbitrary<EventChoice> = fc
  .record({ number: fc.nat(11), fitting: mostlyLegal })
  .map(({ number, fitting }) => ({
    number,
    fitting,
    text: fitting ? `fitting event ${number}` : `event ${number}`,
  }));

/** The place of the event that is meant, where it fits among those in one of these states. */
export function chooseEvent(
  model: Model,
  { ordinal: number, legal: fitting }: EventChoice,
  states: readonly State[],
): number {
  const all = [...model.events.keys()];
  const fit = all.filter((place) => states.some((state) => state === model.events[place]?.state));
  const among = fitting && fit.length > 0 ? fit : all;
  return among[number % among.length] ?? 0;
}

/** True where there is an event that fits, or none needs to. */
export function hasEvent(model: Model, { legal: fitting }: EventChoice, states: readonly State[]): boolean {
  return !fitting || model.events.some(({ state }) => states.includes(state));
}

/** Both admins' and the players' ids, by their places in the model. */
export const playerIdOf = ({ grantedCents }: World, player: number) => [...grantedCents.keys()][player] ?? 0;
