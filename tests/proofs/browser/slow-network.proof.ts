import { expect, test } from "bun:test";
import { SLOW_NETWORK } from "#tests/browser/support/slow-network.ts";
import { runJourneys } from "#tests/support/run-journeys.ts";
import { showJourneys } from "../show-journeys.ts";

test("the journeys of a show pass on a network that brings a third of everything up to 1.2 seconds late", async () => {
  const { passed, failed } = await runJourneys(showJourneys, {
    proofs: false,
    variables: { [SLOW_NETWORK]: "on" },
  });
  expect(failed).toBe(0);
  expect(passed).toBeGreaterThan(0);
});
