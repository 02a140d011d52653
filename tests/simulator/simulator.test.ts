import { expect, test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { openEnvironment } from "./environment.ts";
import { playSeed } from "./play-seed.ts";

/** A change of the game itself deserves `SEEDS=1000`, which takes some minutes. */
const SEEDS = 300;
/** Environments used at the same time, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
/** The books of the whole database are checked after every seed, so a database is replaced before it gets large. */
const SEEDS_PER_ENVIRONMENT = 50;
/** The seeds take less than a minute; the timeout allows for a busy machine. */
const TIMEOUT_MS = 900_000;

/** `SEED=123 bun test tests/simulator` runs only that seed; `SEEDS=1000` runs more than usual. */
const { SEED, SEEDS: seedsCount } = ownVariables();
const seeds = SEED === undefined ? range(1, Number(seedsCount ?? SEEDS)) : [Number(SEED)];

test(
  `in ${seeds.length} seeded shows every action is done or refused, and all invariants hold`,
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
  "the same seed gives the same trace",
  async () => {
    const [environment, another] = await Promise.all([openEnvironment(), openEnvironment()]);
    await playSeed(another, 1);
    for (const seed of [3, 4, 5]) {
      expect(await playSeed(another, seed)).toEqual(await playSeed(environment, seed));
    }
    await Promise.all([environment.close(), another.close()]);
  },
  TIMEOUT_MS,
);

async function playBatch(batch: readonly number[]): Promise<void> {
  const environment = await openEnvironment();
  try {
    for (const seed of batch) await playSeed(environment, seed);
  } finally {
    await environment.close();
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
