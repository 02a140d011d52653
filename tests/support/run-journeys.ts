import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { ownVariables } from "#src/settings/env.ts";
import type { Count } from "./run-bun-test.ts";

const TOP = path.join(import.meta.dir, "../..");
/** So many lines of what Playwright has printed beside the journeys that passed are shown if one fails: the last ones. */
const SHOWN_LINES_MAX = 400;

type JourneysOptions = {
  /** Those with the tag of a proof, or those without it. */
  proofs: boolean;
  /** Environment variables for them. */
  variables?: Record<string, string>;
  /** Called after each journey that has passed. */
  onPassed?: () => void;
};

/** Runs journeys of tests/browser by Playwright, in a real Chromium against the whole product. */
export async function runJourneys(
  files: readonly string[],
  { proofs, variables = {}, onPassed }: JourneysOptions,
): Promise<Count> {
  const options = [
    "--config=tests/browser/playwright.config.ts",
    "--reporter=list",
    // So that concurrent runs in one checkout do not remove each other's traces.
    `--output=test-results/${process.pid}`,
    proofs ? "--grep=@proof" : "--grep-invert=@proof",
    "--pass-with-no-tests",
  ];
  const child = spawn(
    process.execPath,
    ["--bun", "node_modules/.bin/playwright", "test", ...options, ...files],
    {
      cwd: TOP,
      env: { ...ownVariables(), ...variables, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(child, "close");
  let passed = 0;
  const failures: string[] = [];
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, result, file, title] = /^ +([✓✘]) +\d+ (\S+?\.spec\.ts:\d+):\d+ › (.*)$/.exec(line) ?? [];
    if (result === "✘") failures.push(`${file}: ${title}`);
    if (result === "✓") {
      passed += 1;
      onPassed?.();
    } else printed.push(line);
  }
  await ended;
  if (child.exitCode !== 0 && failures.length === 0)
    failures.push(`the journeys ended with ${child.exitCode}`);
  // Playwright says what each failure was when all journeys are done.
  if (failures.length > 0) process.stdout.write(`\n${printed.slice(-SHOWN_LINES_MAX).join("\n")}\n`);
  return { passed, failed: failures.length, failures };
}
