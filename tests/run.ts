import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Glob } from "bun";
import { findRedis } from "#db/embedded/redis-binary.ts";
import { allocatorVariables } from "#src/run/allocator.ts";
import { type Count, runBunTest } from "./support/run-bun-test.ts";
import { runJourneys } from "./support/run-journeys.ts";

// bun run test [filter ...]: all tests, or those in files whose path contains a filter. The last line has the totals. What is named
// *.proof.ts, and journeys with the tag of a proof, run with `bun run prove`.
const TOP = path.join(import.meta.dir, "..");
/**
 * Processes of `bun test`, beside the journeys, whose browsers mostly wait: together they keep two cores busy to the end. Each has its own
 * servers, which end with it, and takes the next file when it is done with one.
 */
const PROCESSES = 3;
/** A folder in memory on Linux, and the room that the tests' databases and browsers need at most. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 6 * 2 ** 30;
/**
 * For `bun test`: most code of a test runs a few times, so the last tier of Bun's compiler costs more than it brings, and freed memory is kept
 * for the next test.
 */
const lean = { ...allocatorVariables, BUN_JSC_useFTLJIT: "0" };

const NONE: Count = { passed: 0, failed: 0, failures: [] };
const FAILED: Count = { passed: 0, failed: 1, failures: [] };

// No retry: a test that needs one has a fault.
const filters = process.argv.slice(2);
const counts = await Promise.all([runJourneysOfEachDay(), runTests()]);
const sum = counts.reduce(
  (a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    failures: [...a.failures, ...b.failures],
  }),
  NONE,
);
if (sum.passed + sum.failed === 0) print(`No test file matches ${filters.join(" ")}.`);
for (const failure of sum.failures) print(`\n${failure}`);
print(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;

/** The journeys of tests/browser, by Playwright in a real Chromium, against the whole product. */
async function runJourneysOfEachDay(): Promise<Count> {
  const files = findFiles("browser/**/*.spec.ts");
  return files.length === 0 ? NONE : runJourneys(files, { proofs: false, variables: filesInMemory() });
}

/** Everything else, by `bun test`. */
async function runTests(): Promise<Count> {
  const files = findFiles("**/*.test.{ts,tsx}");
  if (files.length === 0) return NONE;
  const variables = { ...lean, ...filesInMemory() };
  return prepareRedis() ? runBunTest(files, { processes: PROCESSES, variables }) : FAILED;
}

/**
 * Each file of tests has a database of some 300 files, and on disk each new file costs more the more have just been deleted: it was a third of
 * the run's time.
 */
function filesInMemory(): Record<string, string> {
  if (!existsSync(MEMORY)) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES ? { TMPDIR: MEMORY } : {};
}

function findFiles(pattern: string): string[] {
  return [...new Glob(`tests/${pattern}`).scanSync(TOP)]
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .toSorted();
}

function prepareRedis(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-run-"));
  try {
    findRedis(folder, print);
    return true;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
