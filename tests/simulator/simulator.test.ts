import { expect, test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { ROUNDS_WITHIN_MS, roundsOf } from "#tests/support/rounds.ts";
import { openEnvironment } from "./environment.ts";
import { playSeed, playSeeds, range } from "./play-seed.ts";

const SEEDS = roundsOf({ daily: 6, many: 500 });

/** `SEED=123 bun test tests/simulator` runs only that seed. */
const { SEED } = ownVariables();
const seeds = SEED === undefined ? range(1, SEEDS) : [Number(SEED)];

test(
  `in ${seeds.length} seeded shows every action is done or refused, and all invariants hold`,
  () => playSeeds(seeds, { hasModel: false }),
  ROUNDS_WITHIN_MS,
);

test(
  "after every operation the product has the reply and the state of a plain model of the game",
  () => playSeeds(seeds, { hasModel: true }),
  ROUNDS_WITHIN_MS,
);

test.skipIf(SEED !== undefined)(
  "the same seed gives the same trace",
  async () => {
    const [environment, another] = await Promise.all([openEnvironment(), openEnvironment()]);
    await playSeed(another, 1);
    for (const seed of [3, 4]) {
      expect(await playSeed(another, seed)).toEqual(await playSeed(environment, seed));
    }
    await Promise.all([environment.close(), another.close()]);
  },
  ROUNDS_WITHIN_MS,
);
