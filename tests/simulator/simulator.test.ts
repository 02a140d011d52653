import { expect, test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { playSeed } from "./play-seed.ts";
import { openEnvironment } from "./environment.ts";

const SEEDS = 1_000;
/** Stages side by side, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
/** The books of a whole database are checked after every seed: a new one now and then keeps that short. */
const SEEDS_PER_ENVIRONMENT = 50;
/** They take a minute or two; this is for a machine that is busy with other things. */
const TIMEOUT_MS = 900_000;

/** `SEED=123 bun test tests/simulator` plays that one alone; `SEEDS=5000` plays more than usual. */
const { SEED, SEEDS: seedsCount } = ownVariables();
const seeds = SEED === undefined ? range(1, Number(seedsCount ?? SEEDS)) : [Number(SEED)];

test(
  `${seeds.length} shows by seed: everything that is pressed is done or refused, and all is as it must be`,
  async () => {
    const batches = chunk(seeds, SEEDS_PER_ENVIRONMENT).values();
    const worker = async () => {
      for (const batch of batches) await playBatch(batch);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  },
  TIMEOUT_MS * Math.max(1, seeds.length / SEEDS),
);

test.skipIf(SEED !== undefined)(
  "the same seed plays the same show",
  async () => {
    const [stage, another] = await Promise.all([openEnvironment(), openEnvironment()]);
    await playSeed(another, 1);
    for (const seed of [3, 4, 5]) {
      expect(await playSeed(another, seed)).toEqual(await playSeed(stage, seed));
    }
    await Promise.all([stage.close(), another.close()]);
  },
  TIMEOUT_MS,
);

async function playBatch(batch: readonly number[]): Promise<void> {
  const stage = await openEnvironment();
  try {
    for (const seed of batch) await playSeed(stage, seed);
  } finally {
    await stage.close();
  }
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return range(0, Math.ceil(items.length / size)).map((index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
