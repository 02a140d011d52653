import { test } from "bun:test";
import { ownVariables } from "#src/settings/env.ts";
import { playModel } from "./play-model.ts";

/** `bun run prove simulator` does more. */
const RUNS = 50;
/** The runs take seconds; the timeout allows for a busy machine. */
const TIMEOUT_MS = 900_000;

/** `MODEL_SEED=123 bun test tests/simulator/model` repeats the runs of a seed that fast-check has printed. */
const { MODEL_SEED, SEED } = ownVariables();

// SEED runs only one seed of the simulator.
test.skipIf(SEED !== undefined)(
  "after every operation the product has the reply and the state of a plain model of the game",
  () => playModel(RUNS, MODEL_SEED === undefined ? undefined : Number(MODEL_SEED)),
  TIMEOUT_MS,
);
