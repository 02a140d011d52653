import { ownVariables } from "#src/settings/env.ts";

/**
 * How many rounds a test plays: a few each day, and many with `bun run prove many-rounds`, which sets `ROUNDS=many`. Both find the same
 * faults; many find the rare ones.
 */
export function roundsOf({ daily, many }: { daily: number; many: number }): number {
  return ownVariables()["ROUNDS"] === "many" ? many : daily;
}
