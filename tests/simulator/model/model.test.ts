import { expect, test } from "bun:test";
import fc from "fast-check";
import { createDice } from "#src/base/dice.ts";
import { ownVariables } from "#src/settings/env.ts";
import { listDifferences } from "#tests/support/books.ts";
import { openEnvironment } from "../environment.ts";
import { noFaults } from "../unreliable-queue.ts";
import { buildWorld, type EventPlan, type WorldPlan } from "../world.ts";
import { createModel } from "./model.ts";
import { operations, startOperation } from "./operations.ts";

const RUNS = 150;
/** Runs at the same time, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
const OPERATIONS_MAX = 90;
/** The runs take half a minute; the timeout allows for a busy machine. */
const TIMEOUT_MS = 900_000;

const event: fc.Arbitrary<EventPlan> = fc.record({
  startMode: fc.constantFrom("after_previous", "after_previous", "offset", "after_result", "by_hand"),
  offsetSeconds: fc.integer({ min: 0, max: 12 }),
  durationSeconds: fc.integer({ min: 5, max: 30 }),
  leadSeconds: fc.integer({ min: 0, max: 8 }),
  resolveWithinSeconds: fc.integer({ min: 0, max: 10 }),
  autoResult: fc.constantFrom(null, null, "true", "false"),
  minWagerCents: fc.constantFrom(1, 1, 20),
  maxWagerCents: fc.option(fc.integer({ min: 100, max: 900 })),
});
const plan: fc.Arbitrary<WorldPlan> = fc.record({
  faults: fc.constant(noFaults),
  sweepPhaseMs: fc.integer({ min: 0, max: 999 }),
  grantsCents: fc.array(fc.integer({ min: 200, max: 5_000 }), { minLength: 5, maxLength: 5 }),
  settings: fc.record({
    leadSeconds: fc.constant(0),
    settlementDelaySeconds: fc.constantFrom(0, 0, 0, 1, 7),
    slowModeSeconds: fc.constant(0),
    smallRoom: fc.boolean(),
    voidUncalled: fc.constant(false),
  }),
  paying: fc.constant(null),
  shows: fc.array(event, { minLength: 2, maxLength: 4 }).map((show) => [show]),
});

/** `MODEL_SEED=123 bun test tests/simulator/model` repeats the runs of a seed that fast-check has printed. */
const { MODEL_SEED, MODEL_RUNS, SEED } = ownVariables();

// SEED runs only one seed of the simulator.
test.skipIf(SEED !== undefined)(
  "after every operation the product has the reply and the state of a plain model of the game",
  async () => {
    const runs = Number(MODEL_RUNS ?? RUNS);
    if (MODEL_SEED !== undefined) return playRuns({ numRuns: runs, seed: Number(MODEL_SEED) });
    await Promise.all(
      Array.from({ length: CONCURRENCY }, () => playRuns({ numRuns: Math.ceil(runs / CONCURRENCY) })),
    );
  },
  TIMEOUT_MS,
);

async function playRuns(parameters: { numRuns: number; seed?: number }): Promise<void> {
  const environment = await openEnvironment();
  const done = fc.commands([operations], { maxCommands: OPERATIONS_MAX, size: "max" });
  const property = fc.asyncProperty(plan, startOperation, done, async (planned, first, then) => {
    await environment.finishAll();
    const setUp = async () => {
      const world = await buildWorld(environment, createDice("the queue is reliable"), planned);
      return { model: createModel(planned), real: world };
    };
    await fc.asyncModelRun(setUp, [first, ...then]);
  });
  try {
    await fc.assert(property, parameters);
    expect(await listDifferences(environment.deps.pool.db)).toEqual([]);
  } finally {
    await environment.close();
  }
}
