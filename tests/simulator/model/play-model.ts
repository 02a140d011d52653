import { expect } from "bun:test";
import fc from "fast-check";
import { createDice } from "#src/base/dice.ts";
import { listDifferences } from "#tests/support/books.ts";
import { openEnvironment } from "../environment.ts";
import { noFaults } from "../unreliable-queue.ts";
import { buildWorld, type EventPlan, type WorldPlan } from "../world.ts";
import { createModel } from "./model.ts";
import { operations, startOperation } from "./operations.ts";

/** Runs at the same time, so that Postgres works while JavaScript does. */
const CONCURRENCY = 3;
const OPERATIONS_MAX = 90;

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
    houseDollar: fc.boolean(),
    chatApproval: fc.constant(false as const),
    private: fc.constant(false as const),
    teams: fc.constantFrom<string[]>([], ["Foxes", "Owls"]),
  }),
  paying: fc.constant(null),
  shows: fc.array(event, { minLength: 2, maxLength: 4 }).map((show) => [show]),
});

/**
 * Plays random operations on the product and on a model of the game, and compares them after each.
 * @param seed repeats the runs of a seed that fast-check has printed.
 */
export async function playModel(runs: number, seed?: number): Promise<void> {
  if (seed !== undefined) return playRuns({ numRuns: runs, seed });
  await Promise.all(
    Array.from({ length: CONCURRENCY }, () => playRuns({ numRuns: Math.ceil(runs / CONCURRENCY) })),
  );
}

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
