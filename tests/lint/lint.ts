import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Glob } from "bun";
import * as v from "valibot";
import { filesToLint, type Linted, linted, stateOf } from "./choose-files.ts";

// A part of `bun run check`: lints what a change since the last lint concerns, and what had problems then. For all files, rules that need
// types take half of the check's time, and oxlint keeps nothing from one run for the next one.
const TOP = path.join(import.meta.dir, "../..");
const STATE = path.join(TOP, "node_modules/.cache/lint.json");
const SETTINGS = [
  ".oxlintrc.json",
  "tsconfig.json",
  "package.json",
  "bun.lock",
  "tests/lint/choose-files.ts",
];

/** The line before an assertion says why its type is right. */
const ASSERTION = /oxlint-disable-next-line typescript\/no-unsafe-type-assertion -- \S/g;
const ASSERTIONS = 12;

const read = (file: string) => readFileSync(path.join(TOP, file), "utf8");
const files = [...new Glob("{src,client,jobs,db,tests}/**/*.{ts,tsx}").scanSync(TOP)].toSorted();
const now = stateOf(new Map(files.map((file) => [file, read(file)])), SETTINGS.map(read));
const chosen = filesToLint(readState(), now);
const { isClean, problems } = chosen.length === 0 ? { isClean: true, problems: [] } : await lint(chosen);
for (const file of problems) delete now.files[file];
if (isClean || problems.length > 0) {
  mkdirSync(path.dirname(STATE), { recursive: true });
  writeFileSync(STATE, JSON.stringify(now));
}
process.exitCode = isClean && hasAllAssertionsCounted() ? 0 : 1;

/** Type assertions have their reason, and are few: one more is decided here. */
function hasAllAssertionsCounted(): boolean {
  const found = files.flatMap((file) => read(file).match(ASSERTION) ?? []).length;
  if (found !== ASSERTIONS)
    process.stdout.write(`${found} type assertions that lint cannot prove, not ${ASSERTIONS}\n`);
  return found === ASSERTIONS;
}

/** Lints files. @returns those with problems; none if the lint did not get to its end. */
async function lint(these: readonly string[]): Promise<{ isClean: boolean; problems: string[] }> {
  const program = path.join(TOP, "node_modules/.bin/oxlint");
  const child = Bun.spawn([process.execPath, program, "--format=unix", ...these], {
    cwd: TOP,
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  process.stdout.write(output);
  const lines = [...output.matchAll(/^(.+?):\d+:\d+: /gm)].map(([, file = ""]) => file);
  const total = Number(/^(\d+) problems?$/m.exec(output)?.[1]);
  return { isClean: (await child.exited) === 0, problems: lines.length === total ? [...new Set(lines)] : [] };
}

/** The state at the last lint, without the files that had problems. Without it a run only takes longer. */
function readState(): Linted | null {
  try {
    return v.parse(linted, JSON.parse(readFileSync(STATE, "utf8")));
  } catch {
    return null;
  }
}
