import { openEnvironment } from "./environment.ts";
import { playSeed } from "./play-seed.ts";

/** Environments used at the same time, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
/** The books of the whole database are checked after every seed, so a database is replaced before it gets large. */
const SEEDS_PER_ENVIRONMENT = 50;

/** Plays the show of each seed, with a model or with a queue that has faults. @throws with the seed, for the first action or invariant that is not as it should be. */
export async function playSeeds(seeds: readonly number[], how: { hasModel: boolean }): Promise<void> {
  const perBatch = Math.min(SEEDS_PER_ENVIRONMENT, Math.ceil(seeds.length / CONCURRENCY));
  const batches = range(0, Math.ceil(seeds.length / perBatch))
    .map((index) => seeds.slice(index * perBatch, (index + 1) * perBatch))
    .values();
  const worker = async () => {
    for (const batch of batches) await playBatch(batch, how);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** `count` numbers in a row. */
export function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

async function playBatch(batch: readonly number[], how: { hasModel: boolean }): Promise<void> {
  const environment = await openEnvironment();
  try {
    for (const seed of batch) await playSeed(environment, seed, how);
  } finally {
    await environment.close();
  }
}
