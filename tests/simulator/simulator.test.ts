import { expect, test } from "bun:test";
import { createRandom } from "#src/base/random.ts";
import { payDecided, runUntil } from "#src/dry-runs/simulate/play-show.ts";
import { readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { ownVariables } from "#src/settings/env.ts";
import { payInParts } from "#tests/support/database.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { actOnEvent, actOnSession, addEvent, reorder, resolveAndUndo, startShow } from "./act-as-admin.ts";
import { cancelSomeCall, placeCalls, resendCall } from "./act-as-player.ts";
import {
  buildWorld,
  checkWorld,
  type Environment,
  maybePayPart,
  openEnvironment,
  pick,
  record,
  tick,
  type World,
} from "./world.ts";

const SEEDS = roundsOf({ daily: 8, many: 300 });
/** Environments used at the same time, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
/** The books of the whole database are checked after every seed, so a database is replaced before it gets large. */
const SEEDS_PER_ENVIRONMENT = 50;
const STEPS_MIN = 12;
const STEPS_MAX = 22;
const TRACE_LINES = 30;
const DAY_MS = 86_400_000;

/** `SEED=123 bun test tests/simulator` runs only that seed. */
const { SEED } = ownVariables();
const seeds = SEED === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(SEED)];

test(`in ${seeds.length} seeded shows every action is done or refused, and all invariants hold`, async () => {
  const perBatch = Math.min(SEEDS_PER_ENVIRONMENT, Math.ceil(seeds.length / CONCURRENCY));
  const batches = Array.from({ length: Math.ceil(seeds.length / perBatch) }, (_, index) =>
    seeds.slice(index * perBatch, (index + 1) * perBatch),
  ).values();
  const worker = async () => {
    for (const batch of batches) await playBatch(batch);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
});

test.skipIf(SEED !== undefined)("the same seed gives the same trace", async () => {
  const [environment, another] = await Promise.all([openEnvironment(), openEnvironment()]);
  await playSeed(another, 1);
  expect(await playSeed(another, 3)).toEqual(await playSeed(environment, 3));
  await Promise.all([environment.close(), another.close()]);
});

async function playBatch(batch: readonly number[]): Promise<void> {
  const environment = await openEnvironment();
  try {
    for (const seed of batch) await playSeed(environment, seed);
  } finally {
    await environment.close();
  }
}

/** Each step is chosen as often as it is listed. */
const steps: readonly ((world: World) => Promise<void>)[] = [
  ...Array.from({ length: 9 }, () => placeCalls),
  ...Array.from({ length: 6 }, () => actOnEvent),
  ...Array.from({ length: 4 }, () => wait),
  ...Array.from({ length: 4 }, () => waitUntilBoundary),
  ...Array.from({ length: 2 }, () => cancelSomeCall),
  ...Array.from({ length: 2 }, () => actOnSession),
  resendCall,
  resolveAndUndo,
  addEvent,
  reorder,
  skipTimers,
  stopRedis,
];

/**
 * Runs a whole show from a seed, through the verbs and the database. It then holds all invariants.
 * @returns the trace, line by line.
 * @throws Error with the seed, the last lines of the trace and the cause.
 */
async function playSeed(environment: Environment, seed: number): Promise<readonly string[]> {
  const world = await buildWorld(environment, createRandom(`world ${seed}`));
  try {
    await play(world);
  } catch (cause) {
    const head = `Seed ${seed} fails. Run it alone: SEED=${seed} bun test tests/simulator`;
    throw new Error([head, ...world.trace.slice(-TRACE_LINES)].join("\n"), { cause });
  }
  if (world.paysInParts) await payInParts(environment.deps.pool);
  await environment.finishAll();
  return world.trace;
}

async function play(world: World): Promise<void> {
  const { dice, clock, queue } = world;
  if (dice.chance(0.9)) await startShow(world);
  const count = dice.between(STEPS_MIN, STEPS_MAX);
  for (let taken = 0; taken < count; taken += 1) {
    await pick(dice, steps)(world);
    await tick(world);
    await maybePayPart(world);
    if (queue.isDown && dice.chance(0.2)) {
      queue.isDown = false;
      record(world, "Redis is up again");
    }
  }
  // Time passes without any more steps; sometimes so long that everything ends.
  queue.isDown = false;
  await runUntil(world, clock.nowMs() + (dice.chance(0.3) ? DAY_MS + 60_000 : dice.between(0, 30_000)));
  await payDecided(world);
  record(world, "the end");
  await checkWorld(world);
}

async function wait(world: World): Promise<void> {
  const { dice, clock } = world;
  const waitMs = dice.chance(0.5) ? dice.between(1, 2_000) : dice.between(2_000, 25_000);
  await runUntil(world, clock.nowMs() + waitMs);
}

/** The closes and due moments that are ahead. */
async function momentsAhead(world: World): Promise<number[]> {
  return (await readSnapshots(world))
    .flatMap(({ event }) => [event.closesAt, event.dueAt])
    .flatMap((moment) => (moment === null ? [] : [moment.getTime()]))
    .filter((moment) => moment > world.clock.nowMs());
}

/** Waits until just before, at or just after a close or a due moment, where one millisecond matters. */
async function waitUntilBoundary(world: World): Promise<void> {
  const { dice, clock } = world;
  const ahead = await momentsAhead(world);
  if (ahead.length === 0) return;
  const offByMs = pick(dice, [-5_001, -5_000, -4_999, -1, 0, 0, 1, 900, 1_500]);
  await runUntil(world, Math.max(clock.nowMs(), pick(dice, ahead) + offByMs));
}

/** Time passes without timers: what comes next finds an event that should have closed. */
async function skipTimers(world: World): Promise<void> {
  const ahead = await momentsAhead(world);
  if (ahead.length === 0) return;
  await tick(world, Math.min(...ahead) - world.clock.nowMs() + world.dice.between(0, 3_000));
}

async function stopRedis(world: World): Promise<void> {
  world.queue.isDown = true;
  record(world, "Redis goes down");
}
