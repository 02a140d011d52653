import { test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { ROUNDS_WITHIN_MS, roundsOf } from "#tests/support/rounds.ts";
import { playModel } from "./play-model.ts";

const RUNS = roundsOf({ daily: 5, many: 500 });

/** `MODEL_SEED=123 bun test tests/simulator/model` repeats the runs of a seed that fast-check has printed. */
const { MODEL_SEED, SEED } = ownVariables();

// SEED runs only one seed of the simulator.
test.skipIf(SEED !== undefined)(
  "after every operation the product has the reply and the state of a plain model of the game",
  () => playModel(RUNS, MODEL_SEED === undefined ? undefined : Number(MODEL_SEED)),
  ROUNDS_WITHIN_MS,
);
