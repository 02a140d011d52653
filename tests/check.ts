import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";

const TOP = path.join(import.meta.dir, "..");
const LINES_MAX = 40;
/** What the tools keep from one run for the next one. Git ignores it, and without it a run only takes longer. */
const CACHE = "node_modules/.cache";
const TYPES = `${CACHE}/types.tsbuildinfo`;
/**
 * The browser's files are built too, because types alone do not show that a build works. They are built here and not into `dist`,
 * which a running product may be using.
 */
const BUILD = mkdtempSync(path.join(tmpdir(), "called-it-check-"));
/**
 * What checks types is a Go program that ends when it is done: up to 4 GB it collects no garbage, which saves a third of its time.
 */
const TYPE_CHECKER = { GOGC: "off", GOMEMLIMIT: "4GiB" };
const folders = ["src", "client", "jobs", "db", "tests"];

/** Each mode has a cache of its own, because the two run at the same time. */
function knipOptions(mode: string): string[] {
  return ["--no-progress", "--no-config-hints", "--cache", `--cache-location=${CACHE}/knip-${mode}`];
}

/** The checks of `bun run check` and CI. All run at the same time. */
const checks = [
  // Types are checked again only where a change concerns them. Each of more checkers would find out the types that all of them need.
  {
    name: "types",
    command: ["tsc", "--noEmit", "--checkers", "1", "--incremental", "--tsBuildInfoFile", TYPES],
  },
  { name: "lint", command: ["bun", "tests/lint/lint.ts"] },
  { name: "format", command: ["oxfmt", "--check", ...folders] },
  { name: "dead code", command: ["knip", ...knipOptions("development")] },
  // Code that only tests import is dead too.
  { name: "dead code in production", command: ["knip", "--production", ...knipOptions("production")] },
  { name: "packages", command: ["bun", "tests/packages/check.ts"] },
  { name: "browser's files", command: ["bun", "client/build/build.ts", BUILD] },
  {
    name: "structure",
    command: ["bun", "test", "tests/structure.test.ts", "./tests/browser/pictures/architecture.test.ts"],
  },
];

const results = await Promise.all(checks.map(run));
rmSync(BUILD, { recursive: true, force: true });
for (const { name, failed, output } of results) {
  for (const note of output.split("\n").filter((line) => line.startsWith("Note: ")))
    process.stdout.write(`${note}\n`);
  if (failed) process.stdout.write(`\n${name}\n${shorten(output)}\n`);
}
const summary = results.map(
  ({ name, failed, seconds }) => `${failed ? "FAILED" : "ok"} ${name} (${seconds.toFixed(1)} s)`,
);
process.stdout.write(`\n${summary.join(", ")}\n`);
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0;

async function run({ name, command: [tool = "", ...rest] }: { name: string; command: string[] }) {
  const started = performance.now();
  const program = tool === "bun" ? tool : path.join(TOP, "node_modules/.bin", tool);
  const child = Bun.spawn([process.execPath, program === "bun" ? "" : program, ...rest].filter(Boolean), {
    cwd: TOP,
    env: { ...ownVariables(), ...TYPE_CHECKER, NO_COLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { name, failed: code !== 0, output: `${out}${err}`, seconds: (performance.now() - started) / 1000 };
}

function shorten(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("(pass)"));
  if (lines.length <= LINES_MAX) return lines.join("\n");
  return [...lines.slice(0, LINES_MAX), `... and ${lines.length - LINES_MAX} more lines`].join("\n");
}
