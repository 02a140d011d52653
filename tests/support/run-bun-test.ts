import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { ownVariables } from "#src/settings/env.ts";
import { PROOF_WITHIN_MS } from "./test-within.ts";

const TOP = path.join(import.meta.dir, "../..");
/** So many lines of what a failed file has printed are shown: the last ones. */
const SHOWN_LINES_MAX = 80;
/** How the line begins that names an error which no test has caught. */
const OUTSIDE = "# Unhandled error";

/** How many tests have passed and failed, and which have failed, each with its file. */
export type Count = { passed: number; failed: number; failures: readonly string[] };

type RunOptions = {
  /** Also gets each line that the tests print. */
  onLine?: (line: string) => void;
  /** Called after each test that has passed. */
  onPassed?: () => void;
  /** Environment variables for the tests. */
  variables?: Record<string, string>;
  /** In so many processes at once, which share out the files. */
  processes?: number;
  /** What a test may take that says nothing else. */
  testWithinMs?: number;
};

/**
 * Runs test files, whatever they are named, in a `bun test` of their own: its servers end with it. What a file with a failure has
 * printed is shown when the file is done; what green files print is not.
 */
export async function runBunTest(
  files: readonly string[],
  { onLine, onPassed, variables = {}, processes = 1, testWithinMs = PROOF_WITHIN_MS }: RunOptions = {},
): Promise<Count> {
  // Files may share what they have imported, which takes half a second to import.
  const parallel = processes === 1 ? [] : [`--parallel=${processes}`, "--no-isolate"];
  const tests = ["test", `--timeout=${testWithinMs}`, ...parallel, ...files.map((file) => `./${file}`)];
  // In one stream, so that what a test prints stays with its file.
  const child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', process.execPath, ...tests], {
    cwd: TOP,
    env: { ...ownVariables(), ...variables, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const report = new Report((text) => void process.stdout.write(text));
  for await (const line of createInterface({ input: child.stdout })) {
    onLine?.(line);
    if (report.take(line)) onPassed?.();
  }
  await ended;
  return report.count(child.exitCode);
}

/**
 * Reads the output of `bun test`: the name of a file, a line for each of its tests, and what it prints. With several processes, what a
 * test prints may come under the name of the next file.
 */
export class Report {
  readonly #show: (text: string) => void;
  #file = "";
  #printed: string[] = [];
  #passed = 0;
  #isOver = false;
  readonly #failures: string[] = [];

  /** @param show gets what a file with a failure has printed. */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** Takes the next line. @returns true if it says that a test has passed. */
  take(line: string): boolean {
    // What follows repeats the failures, or is the sum.
    this.#isOver ||= /^(\d+ tests? failed:| *\d+ pass)$/.test(line);
    if (this.#isOver) return false;
    const file = /^(\S+\.(?:test|proof)\.tsx?):$/.exec(line)?.[1];
    if (file !== undefined) {
      this.#endFile();
      this.#file = file;
    }
    const [, result, title = ""] = /^\((pass|fail)\) (.*?)(?: \[[\d.]+ms\])?$/.exec(line) ?? [];
    if (result === "pass") this.#passed += 1;
    else this.#printed.push(line);
    if (result === "fail") this.#failures.push(`${this.#file}: ${title}`);
    if (line.startsWith(OUTSIDE)) this.#failures.push(`${this.#file}: an error outside its tests`);
    return result === "pass";
  }

  /** The sum. @param code with which `bun test` has ended. */
  count(code: number | null): Count {
    this.#endFile();
    const failures =
      code !== 0 && this.#failures.length === 0 ? [`bun test ended with ${code}`] : this.#failures;
    return { passed: this.#passed, failed: failures.length, failures };
  }

  /** Shows what was printed since the last file, if a failure is in it. */
  #endFile(): void {
    if (this.#printed.some((line) => /^(\(fail\)|error: )/.test(line) || line.startsWith(OUTSIDE)))
      this.#show(`\n${this.#file}\n${this.#printed.slice(-SHOWN_LINES_MAX).join("\n")}\n`);
    this.#printed = [];
  }
}
