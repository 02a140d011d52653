import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";
import { canInstallDebian, installDebian } from "#db/embedded/install-debian.ts";
import { ownVariables } from "#src/settings/env.ts";
import { chromiumInstallHint, findChromium, findShell, SHELL_PACKAGE } from "./chromium.ts";
import type { Count } from "./run-bun-test.ts";

const TOP = path.join(import.meta.dir, "../..");
const FAILED: Count = { passed: 0, failed: 1, failures: [] };

/** The part of Playwright's report that is read. */
const report = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number() }),
});

type JourneysOptions = {
  /** Those with the tag of a proof, or those without it. */
  proofs: boolean;
  /** Environment variables for them. */
  variables?: Record<string, string>;
};

/** Runs journeys of tests/browser by Playwright, in a real Chromium against the whole product. */
export async function runJourneys(
  files: readonly string[],
  { proofs, variables = {} }: JourneysOptions,
): Promise<Count> {
  if (!prepareChromium()) return FAILED;
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
      proofs ? "--grep=@proof" : "--grep-invert=@proof",
      "--pass-with-no-tests",
      ...files,
    ],
    {
      cwd: TOP,
      env: { ...ownVariables(), ...variables, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
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
    return { passed: stats.expected, failed: stats.unexpected, failures: [] };
  } catch {
    return FAILED;
  }
}

/** All journeys pass in the whole Chromium too, and take longer. Some need it. */
function prepareChromium(): boolean {
  if (canInstallDebian()) {
    const missing = [
      ...(findChromium() === null ? ["chromium"] : []),
      ...(findShell() === null ? [SHELL_PACKAGE] : []),
    ];
    for (const name of missing) {
      print(`Installing ${name} with apt-get`);
      installDebian([name]);
    }
  }
  if (findChromium() !== null) return true;
  print(chromiumInstallHint);
  return false;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
