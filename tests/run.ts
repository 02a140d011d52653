import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Glob } from "bun";
import { findRedis } from "#db/embedded/redis-binary.ts";
import { type Count, runBunTest } from "./support/run-bun-test.ts";
import { runJourneys } from "./support/run-journeys.ts";

// bun run test [filter ...]: all tests, or those in files whose path contains a filter. The last line has the totals. What is named
// *.proof.ts, and journeys with the tag of a proof, run with `bun run prove`.
const TOP = path.join(import.meta.dir, "..");
/** Processes at once on two cores: a third of their time passes in waits. The journeys count as two, because they open several browsers. */
const LANES = 3;
const LANES_OF_JOURNEYS = 2;
/** Each further process runs a part of about so many files, so that all lanes end at about the same time. */
const PART_FILES = 80;

type Run = () => Promise<Count>;

const NONE: Count = { passed: 0, failed: 0 };
const FAILED: Count = { passed: 0, failed: 1 };

// No retry: a test that needs one has a fault.
const filters = process.argv.slice(2);
await main();

async function main(): Promise<void> {
  const counts: Count[] = [];
  const parts = planTests();
  const runLanes = (count: number) => Promise.all(Array.from({ length: count }, runLane));
  const runLane = async () => {
    for (let run = parts.shift(); run !== undefined; run = parts.shift()) counts.push(await run());
  };
  const runJourneysFirst = async () => {
    for (const run of planJourneys()) counts.push(await run());
    await runLanes(LANES_OF_JOURNEYS);
  };
  await Promise.all([runJourneysFirst(), runLanes(LANES - LANES_OF_JOURNEYS)]);
  const sum = counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), NONE);
  if (sum.passed + sum.failed === 0) print(`No test file matches ${filters.join(" ")}.`);
  print(`\n${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;
}

/** Everything but the journeys, by `bun test`. Each process has its own servers, which end with it. */
function planTests(): Run[] {
  const files = findFiles("**/*.test.{ts,tsx}");
  if (files.length === 0) return [];
  if (!prepareRedis()) return [async () => FAILED];
  return partsOf(files).map((part) => () => runBunTest(part));
}

/** Neighbours are alike, so they go to different parts. */
function partsOf(files: readonly string[]): string[][] {
  const count = Math.min(files.length, Math.max(LANES, Math.ceil(files.length / PART_FILES)));
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part));
}

/** The journeys of tests/browser, by Playwright in a real Chromium, against the whole product. */
function planJourneys(): Run[] {
  const files = findFiles("browser/**/*.spec.ts");
  if (files.length === 0) return [];
  return [() => runJourneys(files, { proofs: false })];
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
