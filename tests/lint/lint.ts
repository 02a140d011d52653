import { readFileSync } from "node:fs";
import path from "node:path";
import { Glob } from "bun";

// A part of `bun run check`: lints all files, and counts the type assertions.
const TOP = path.join(import.meta.dir, "../..");
const FOLDERS = ["src", "client", "jobs", "db", "tests"];

/** The line before an assertion says why its type is right. */
const ASSERTION = /oxlint-disable-next-line typescript\/no-unsafe-type-assertion -- \S/g;
const ASSERTIONS = 12;

const program = path.join(TOP, "node_modules/.bin/oxlint");
const linting = Bun.spawn([process.execPath, program, "--format=unix", ...FOLDERS], {
  cwd: TOP,
  stdout: "inherit",
  stderr: "inherit",
});
process.exitCode = (await linting.exited) === 0 && hasAllAssertionsCounted() ? 0 : 1;

/** Type assertions have their reason, and are few: one more is decided here. */
function hasAllAssertionsCounted(): boolean {
  const files = [...new Glob(`{${FOLDERS.join(",")}}/**/*.{ts,tsx}`).scanSync(TOP)];
  const found = files.flatMap((file) => readFileSync(path.join(TOP, file), "utf8").match(ASSERTION) ?? []);
  if (found.length === ASSERTIONS) return true;
  process.stdout.write(`${found.length} type assertions that lint cannot prove, not ${ASSERTIONS}\n`);
  return false;
}
