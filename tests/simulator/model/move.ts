import { expect } from "bun:test";
import type fc from "fast-check";
import { outcomeOf } from "../outcome.ts";
import type { World } from "../world.ts";
import { compare } from "./compare.ts";
import type { Model } from "./model.ts";

/** One thing that somebody does, in the model and in the product. */
export type Deed = {
  text: string;
  /** False where there is nothing that it could be done to. */
  possible: (model: Model) => boolean;
  /** @returns the reply, and the same deed for the product. */
  inModel: (model: Model) => { reply: string; inProduct: (world: World) => Promise<unknown> };
};

/** A deed as fast-check plays it: the product must reply as the model does, and stand where it stands. */
export class Move implements fc.AsyncCommand<Model, World> {
  readonly deed: Deed;

  constructor(deed: Deed) {
    this.deed = deed;
  }

  check(model: Readonly<Model>): boolean {
    return this.deed.possible(model);
  }

  async run(model: Model, world: World): Promise<void> {
    const { reply, inProduct } = this.deed.inModel(model);
    const outcome = await outcomeOf(inProduct(world));
    expect(outcome.text).toBe(reply);
    await compare(model, world);
  }

  toString(): string {
    return this.deed.text;
  }
}
