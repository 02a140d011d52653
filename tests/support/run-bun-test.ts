import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");
/** Tests wait for conditions, so a long timeout costs nothing and helps on a busy machine. */
const TEST_WITHIN_MS = 180_000;
const COUNT_TAIL_CHARACTERS = 1_000;
/** So many lines of a failure, and so many failures, are printed again at the end: the end of a log is read first. */
const FAILURE_LINES = 25;
const FAILURES_MAX = 8;

/** How many tests have passed and failed. */
export type Count = {
  passed: number;
  failed: number;
  /** What was printed about the first ones that failed. Empty where the last lines of the output say it. */
  failures: readonly string[];
};

type RunOptions = {
  /** Also gets what the tests print to stdout. */
  onOutput?: (text: string) => void;
  /** Environment variables for the tests. */
  variables?: Record<string, string>;
  /** In so many processes at once, which share out the files. */
  processes?: number;
};

/**
 * Runs test files, whatever they are named, in a `bun test` of their own: its servers end with it. What it prints is shown.
 */
export async function runBunTest(
  files: readonly string[],
  { onOutput = () => undefined, variables = {}, processes = 1 }: RunOptions = {},
): Promise<Count> {
  // Files may share what they have imported, which takes half a second to import.
  const parallel = processes === 1 ? [] : [`--parallel=${processes}`, "--no-isolate"];
  const options = ["--only-failures", `--timeout=${TEST_WITHIN_MS}`, ...parallel];
  const child = Bun.spawn([process.execPath, "test", ...options, ...files.map((file) => `./${file}`)], {
    cwd: TOP,
    env: { ...ownVariables(), ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let report = "";
  await Promise.all([
    showAll(child.stdout, onOutput),
    showAll(child.stderr, (text) => {
      report += text;
    }),
  ]);
  const code = await child.exited;
  const text = Bun.stripANSI(report);
  const counts = text.slice(-COUNT_TAIL_CHARACTERS);
  const passed = Number(/^\s*(\d+) pass$/m.exec(counts)?.[1] ?? 0);
  const failed = Number(/^\s*(\d+) fail$/m.exec(counts)?.[1] ?? 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, failures: findFailures(text) };
}

function findFailures(report: string): string[] {
  const lines = report.split("\n");
  const ends = lines
    .flatMap((line, at) => (line.startsWith("(fail)") ? [at + 1] : []))
    .slice(0, FAILURES_MAX);
  return ends.map((end, nth) => {
    const start = Math.max(ends[nth - 1] ?? 0, end - FAILURE_LINES);
    return lines.slice(start, end).join("\n");
  });
}

async function showAll(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void,
): Promise<void> {
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    process.stdout.write(text);
    onText(text);
  }
}
