import { test } from "bun:test";
import { playModel } from "./model/play-model.ts";
import { playSeeds, range } from "./play-seeds.ts";

const SEEDS = 1_000;
const MODEL_RUNS = 500;
const WITHIN_MS = 3_600_000;

test(
  `in ${SEEDS} seeded shows every action is done or refused, and all invariants hold`,
  () => playSeeds(range(1, SEEDS)),
  WITHIN_MS,
);

test(
  `in ${MODEL_RUNS} runs the product has the reply and the state of a plain model of the game`,
  () => playModel(MODEL_RUNS),
  WITHIN_MS,
);
