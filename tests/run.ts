import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Glob } from "bun";
import * as v from "valibot";
import { canInstallDebian, installDebian } from "#db/embedded/install-debian.ts";
import { findRedis } from "#db/embedded/redis-binary.ts";
import { ownVariables } from "#src/settings/env.ts";
import { chromiumInstallHint, findChromium } from "./support/chromium.ts";
import { type Count, runBunTest } from "./support/run-bun-test.ts";

// bun run test [filter ...]: all tests, or those in files whose path contains a filter. The last line has the totals. What is named
// *.proof.ts runs with `bun run prove`.
const TOP = path.join(import.meta.dir, "..");
/** Processes at once on two cores: a third of their time passes in waits. The journeys count as two, because they open several browsers. */
const LANES = 3;
const LANES_OF_JOURNEYS = 2;
/** Each further process runs a part of about so many files, so that all lanes end at about the same time. */
const PART_FILES = 80;

/** The part of Playwright's report that is read. */
const report = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number() }),
});

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
  return [async () => (prepareChromium() ? runJourneys(files) : FAILED)];
}

async function runJourneys(files: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-run-"));
  const reportFile = path.join(folder, "journeys.json");
  const child = Bun.spawn(
    [
      process.execPath,
      "--bun",
      "node_modules/.bin/playwright",
      "test",
      "--config=tests/browser/playwright.config.ts",
      "--reporter=list,json",
      // So that concurrent runs in one checkout do not remove each other's traces.
      `--output=test-results/${process.pid}`,
      ...files,
    ],
    {
      cwd: TOP,
      env: { ...ownVariables(), PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
    },
  );
  const code = await child.exited;
  const count = readReport(reportFile);
  rmSync(folder, { recursive: true, force: true });
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

function readReport(file: string): Count {
  try {
    const { stats } = v.parse(report, JSON.parse(readFileSync(file, "utf8")));
    return { passed: stats.expected, failed: stats.unexpected };
  } catch {
    return FAILED;
  }
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

function prepareChromium(): boolean {
  if (findChromium() === null && canInstallDebian()) {
    print("Installing Chromium with apt-get");
    installDebian(["chromium"]);
  }
  if (findChromium() !== null) return true;
  print(chromiumInstallHint);
  return false;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
