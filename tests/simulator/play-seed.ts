import { expect } from "bun:test";
import { createRandom } from "#src/base/random.ts";
import { payDecided } from "#src/dry-runs/simulate/play-show.ts";
import { readSnapshots } from "#src/dry-runs/simulate/show.ts";
import { listDifferences } from "#tests/support/books.ts";
import { payInParts, usualParts } from "#tests/support/database.ts";
import { callAtOnce, cancelSomeCall, placeCalls, resendCall } from "./act-as-player.ts";
import { actOnEvent, resolveAndUndo } from "./act-on-event.ts";
import { addEvent, actOnSession, reorder, startShow } from "./act-on-session.ts";
import { passUntil } from "./act.ts";
import { checkWorld } from "./check-world.ts";
import { type Environment, openEnvironment } from "./environment.ts";
import { maybePayPart } from "./pay-parts.ts";
import { pick, planModelledWorld, planWorld } from "./plan-world.ts";
import { buildWorld, record, tick, type World } from "./world.ts";

const STEPS_MIN = 12;
const STEPS_MAX = 22;
const MODELLED_STEPS = 45;
const TRACE_LINES = 30;
const DAY_MS = 86_400_000;

type Step = (world: World) => Promise<void>;

/** Each step is chosen as often as it is listed. */
const steps: readonly Step[] = [
  ...repeat(placeCalls, 9),
  resendCall,
  ...repeat(cancelSomeCall, 2),
  ...repeat(wait, 4),
  ...repeat(waitUntilBoundary, 4),
  ...repeat(actOnEvent, 6),
  resolveAndUndo,
  ...repeat(actOnSession, 2),
  addEvent,
  reorder,
  stopRedis,
];

/** Those of a world with a model. */
const modelledSteps: readonly Step[] = [
  ...repeat(placeCalls, 4),
  ...repeat(callAtOnce, 6),
  ...repeat(cancelSomeCall, 3),
  ...repeat(wait, 2),
  ...repeat(waitUntilBoundary, 4),
  skipTimers,
  ...repeat(actOnEvent, 14),
  resolveAndUndo,
  ...repeat(actOnSession, 4),
  addEvent,
];

/**
 * Runs a whole session from a seed, through the verbs and the database. It then holds all invariants; with a model, each reply and each
 * state was the model's.
 * @returns the trace, line by line.
 * @throws Error with the seed, the last lines of the trace and the cause.
 */
export async function playSeed(
  environment: Environment,
  seed: number,
  { hasModel = false } = {},
): Promise<readonly string[]> {
  const dice = createRandom(`world ${seed}`);
  const plan = hasModel ? planModelledWorld(dice) : planWorld(dice);
  const world = await buildWorld(environment, dice, plan, { hasModel });
  try {
    await (hasModel ? playModelled(world) : play(world));
  } catch (error) {
    throw new Error(describeFailure(seed, world), { cause: error });
  }
  if (world.paysInParts) await payInParts(environment.deps.pool, usualParts);
  await environment.finishAll();
  return world.trace;
}

async function play(world: World): Promise<void> {
  const { dice } = world;
  if (dice.chance(0.9)) await startShow(world);
  const count = dice.between(STEPS_MIN, STEPS_MAX);
  for (let taken = 0; taken < count; taken += 1) {
    await pick(dice, steps)(world);
    await tick(world);
    await maybePayPart(world);
    if (world.queue.isDown && dice.chance(0.2)) restartRedis(world);
  }
  await end(world);
  await checkWorld(world);
}

async function playModelled(world: World): Promise<void> {
  await startShow(world);
  for (let taken = 0; taken < MODELLED_STEPS; taken += 1) {
    await pick(world.dice, modelledSteps)(world);
    await tick(world);
  }
  expect(await listDifferences(world.deps.pool.db)).toEqual([]);
}

/** Lets time pass without any more steps; sometimes so long that everything ends. */
async function end(world: World): Promise<void> {
  world.queue.isDown = false;
  const ranMs = world.dice.chance(0.3) ? DAY_MS + 60_000 : world.dice.between(0, 30_000);
  await passUntil(world, world.clock.nowMs() + ranMs);
  await payDecided(world);
  record(world, "the end");
}

async function wait(world: World): Promise<void> {
  const { dice, clock } = world;
  const waitMs = dice.chance(0.5) ? dice.between(1, 2_000) : dice.between(2_000, 25_000);
  await passUntil(world, clock.nowMs() + waitMs);
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
  await passUntil(world, Math.max(clock.nowMs(), pick(dice, ahead) + offByMs));
}

/** Time passes without timers: what comes next finds an event that should have closed. */
async function skipTimers(world: World): Promise<void> {
  const { dice, clock } = world;
  const ahead = await momentsAhead(world);
  if (ahead.length > 0) await tick(world, Math.min(...ahead) - clock.nowMs() + dice.between(0, 3_000));
}

async function stopRedis(world: World): Promise<void> {
  world.queue.isDown = true;
  record(world, "Redis goes down");
}

function restartRedis(world: World): void {
  world.queue.isDown = false;
  record(world, "Redis is up again");
}

function repeat(step: Step, times: number): Step[] {
  return Array.from({ length: times }, () => step);
}

function describeFailure(seed: number, { trace }: World): string {
  const omitted = Math.max(0, trace.length - TRACE_LINES);
  return [
    `Seed ${seed} fails. Run it alone: SEED=${seed} bun test tests/simulator`,
    ...(omitted > 0 ? [`(${omitted} earlier lines omitted)`] : []),
    ...trace.slice(-TRACE_LINES),
  ].join("\n");
}

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
