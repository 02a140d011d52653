import { expect, test } from "bun:test";
import { Glob } from "bun";
import { figure } from "#tests/prove/figure.ts";
import { runJourneys } from "#tests/support/run-journeys.ts";

const WITHIN_MS = 3_600_000;

test(
  "the journeys pass on the further screens, too",
  async () => {
    const files = [...new Glob("tests/browser/**/*.spec.ts").scanSync(".")];
    const { passed, failed } = await runJourneys(files, { proofs: true });
    figure(`${passed} journeys`);
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(0);
  },
  WITHIN_MS,
);
