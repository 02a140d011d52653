import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "../..");
/** Tests wait for conditions, so a long timeout costs nothing and helps on a busy machine. */
const TEST_WITHIN_MS = 180_000;
const COUNT_TAIL_CHARACTERS = 1_000;

/** How many tests have passed and failed. */
export type Count = { passed: number; failed: number };

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
  let tail = "";
  await Promise.all([
    showAll(child.stdout, onOutput),
    showAll(child.stderr, (text) => {
      tail = `${tail}${text}`.slice(-COUNT_TAIL_CHARACTERS);
    }),
  ]);
  const code = await child.exited;
  const counts = Bun.stripANSI(tail);
  const passed = Number(/^\s*(\d+) pass$/m.exec(counts)?.[1] ?? 0);
  const failed = Number(/^\s*(\d+) fail$/m.exec(counts)?.[1] ?? 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
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
