import { expect, test } from "bun:test";
import { runJourneys } from "#tests/support/run-journeys.ts";
import { SLOW_NETWORK } from "./support/slow-network.ts";

const WITHIN_MS = 3_600_000;

test(
  "all journeys of each day pass on a network that brings a third of everything up to 1.2 seconds late",
  async () => {
    const { passed, failed } = await runJourneys([], { proofs: false, variables: { [SLOW_NETWORK]: "on" } });
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(0);
  },
  WITHIN_MS,
);
