import path from "node:path";
import { Glob } from "bun";
import { allocatorVariables } from "#src/run/bring-up.ts";
import { filesFolder } from "./support/files-folder.ts";
import { findNeeds } from "./support/needs.ts";
import { type Count, runBunTest } from "./support/run-bun-test.ts";
import { runJourneys } from "./support/run-journeys.ts";
import { TEST_WITHIN_MS } from "./support/test-within.ts";

// bun run test [filter ...]: all tests, or those in files whose path contains a filter. First it says what it needs; its last lines name
// each failed test and have the totals. What is named *.proof.ts, and journeys with the tag of a proof, run with `bun run prove`.
const TOP = path.join(import.meta.dir, "..");
/**
 * Processes of `bun test`, beside the journeys, whose browsers mostly wait: together they keep two cores busy to the end. Each has its own
 * servers, which end with it, and takes the next file when it is done with one.
 */
const PROCESSES = 3;
const PROGRESS_EVERY_MS = 30_000;
/**
 * For `bun test`: most code of a test runs a few times, so the last tier of Bun's compiler costs more than it brings, and freed memory is kept
 * for the next test.
 */
const lean = { ...allocatorVariables, BUN_JSC_useFTLJIT: "0" };
const NONE: Count = { passed: 0, failed: 0, failures: [] };

// No retry: a test that needs one has a fault.
const filters = process.argv.slice(2);
const journeys = findFiles("browser/**/*.spec.ts");
const tests = findFiles("**/*.test.{ts,tsx}");
if (journeys.length + tests.length === 0) end(`No test file matches ${filters.join(" ")}.`);
print("The tests need:");
const fault = findNeeds({ journeys: journeys.length > 0, print });
if (fault !== null) end(fault);
print(`\nRunning ${tests.length} files of tests, and ${journeys.length} of journeys in a browser`);
const startedAtMs = performance.now();
let passed = 0;
const onPassed = () => {
  passed += 1;
};
const progress = setInterval(() => print(`${minutes()} min: ${passed} passed`), PROGRESS_EVERY_MS);
const inFolder = { TMPDIR: filesFolder() };
const counts = await Promise.all([
  journeys.length === 0 ? NONE : runJourneys(journeys, { proofs: false, variables: inFolder, onPassed }),
  tests.length === 0
    ? NONE
    : runBunTest(tests, {
        processes: PROCESSES,
        testWithinMs: TEST_WITHIN_MS,
        variables: { ...lean, ...inFolder },
        onPassed,
      }),
]);
clearInterval(progress);
const failures = counts.flatMap((count) => count.failures);
if (failures.length > 0)
  print(`\nFailed after ${minutes()} min:\n${failures.map((each) => `  ${each}`).join("\n")}`);
print(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

function findFiles(pattern: string): string[] {
  return [...new Glob(`tests/${pattern}`).scanSync(TOP)]
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .toSorted();
}

function minutes(): string {
  return ((performance.now() - startedAtMs) / 60_000).toFixed(1);
}

/** Says what stops the run, and ends it. */
function end(reason: string): never {
  print(`\n${reason}\n\n0 passed, 1 failed`);
  process.exit(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
