import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { $, Glob } from "bun";
import { runBunTest } from "#tests/support/run-bun-test.ts";
import { runJourneys } from "#tests/support/run-journeys.ts";
import { figuresIn } from "./figure.ts";
import { findVoids } from "./find-void.ts";
import { readResults, reportOf, type Result, rowOf } from "./report.ts";

// bun run prove [name ...]: all proofs, or those whose path contains a name, one after the other, because they measure. A proof is a
// test file in tests/proofs that is named *.proof.ts, which `bun run test` leaves out: it is about operation or scale, takes minutes, or
// needs programs of Debian. The journeys with the tag of a proof are one proof for each file that has some. The results stand in
// PROOF.md, which `bun run prove --table` writes again without a run.
const TOP = path.join(import.meta.dir, "../..");
const FILE = path.join(TOP, "tests/PROOF.md");
const MS_PER_MINUTE = 60_000;
/** The first of all: what a newcomer meets. */
const FIRST = "newcomer";

const nameOf = (file: string) => file.replace(/^tests\/(proofs\/)?/, "").replace(/\.(proof|spec)\.ts$/, "");
const isJourney = (file: string) => file.endsWith(".spec.ts");
const hasProof = (file: string) =>
  !isJourney(file) || /\bPROOF\b/.test(readFileSync(path.join(TOP, file), "utf8"));

const found = [...new Glob("tests/**/*.{proof,spec}.ts").scanSync(TOP)]
  .filter(hasProof)
  .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
const all = [
  ...found.filter((file) => nameOf(file) === FIRST),
  ...found.filter((file) => nameOf(file) !== FIRST),
];
const [option, ...names] = process.argv.slice(2);
const filters = option === undefined || option.startsWith("--") ? names : [option, ...names];
const onlyTable = option === "--table";
const chosen = onlyTable
  ? []
  : all.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
if (chosen.length === 0 && !onlyTable) {
  print(`No proof matches ${filters.join(" ")}. There are:\n${all.map(nameOf).join("\n")}`);
  process.exit(1);
}
const date = new Date().toISOString().slice(0, 10);
const commit = await readCommit();
const done: Result[] = [];
if (onlyTable) await writeReport(readResults(FILE));
for (const file of chosen) {
  print(`\n${nameOf(file)}`);
  const result = await prove(file);
  done.push(result);
  // After each one, so that a run that is stopped keeps what it has proven.
  await writeReport(readResults(FILE).set(result.name, result));
}
print(`\n${done.map((result) => rowOf(result, () => null)).join("\n")}`);

async function writeReport(results: ReadonlyMap<string, Result>): Promise<void> {
  const proofs = all.flatMap((file) => {
    const result = results.get(nameOf(file));
    return result === undefined ? [] : [{ name: result.name, file, commit: result.commit }];
  });
  writeFileSync(FILE, reportOf(all.map(nameOf), results, await findVoids(TOP, proofs)));
}

async function prove(file: string): Promise<Result> {
  const startedAtMs = performance.now();
  const printed: string[] = [];
  const onLine = (line: string) => {
    printed.push(line);
    print(line);
  };
  const { passed, failed } = isJourney(file)
    ? await runJourneys([file], { proofs: true })
    : await runBunTest([file], { onLine });
  if (failed > 0 || passed === 0) process.exitCode = 1;
  const minutes = (performance.now() - startedAtMs) / MS_PER_MINUTE;
  return { name: nameOf(file), date, commit, passed, failed, minutes, figures: figuresIn(printed) };
}

async function readCommit(): Promise<string> {
  const git = $.cwd(TOP);
  const commitId = (await git`git rev-parse --short HEAD`.nothrow().quiet().text()).trim();
  const isChanged =
    (await git`git status --porcelain -- . ${":!tests/PROOF.md"}`.nothrow().quiet().text()) !== "";
  return `${commitId}${isChanged ? "+" : ""}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
