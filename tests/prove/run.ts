import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { $, Glob } from "bun";
import { runBunTest } from "#tests/support/run-bun-test.ts";
import { runJourneys } from "#tests/support/run-journeys.ts";
import { figuresIn } from "./figure.ts";
import { type Entry, entryOf, readEntries, reportOf } from "./report.ts";

// bun run prove [name ...]: all proofs, or those whose path contains a name, one after the other, because they measure. A proof is a
// test file that is named *.proof.ts, which `bun run test` leaves out: it is about operation or scale, takes minutes, or needs programs
// of Debian. The journeys with the tag of a proof are one proof for each file that has some. The results stand in PROOF.md.
const TOP = path.join(import.meta.dir, "../..");
const FILE = path.join(TOP, "tests/PROOF.md");
const MS_PER_MINUTE = 60_000;

const nameOf = (file: string) => file.replace(/^tests\//, "").replace(/\.(proof|spec)\.ts$/, "");
const isJourney = (file: string) => file.endsWith(".spec.ts");
const hasProof = (file: string) =>
  !isJourney(file) || /\bPROOF\b/.test(readFileSync(path.join(TOP, file), "utf8"));

const all = [...new Glob("tests/**/*.{proof,spec}.ts").scanSync(TOP)].filter(hasProof).toSorted();
const filters = process.argv.slice(2);
const chosen = all.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
if (chosen.length === 0) {
  print(`No proof matches ${filters.join(" ")}. There are:\n${all.map(nameOf).join("\n")}`);
  process.exit(1);
}
const date = new Date().toISOString().slice(0, 10);
const commit = await readCommit();
const results: string[] = [];
for (const file of chosen) {
  print(`\n${nameOf(file)}`);
  const entry = await prove(file);
  results.push(entry.row);
  // After each one, so that a run that is stopped keeps what it has proven.
  writeFileSync(FILE, reportOf(all.map(nameOf), readEntries(FILE).set(nameOf(file), entry)));
}
print(`\n${results.join("\n")}`);

async function prove(file: string): Promise<Entry> {
  const startedAtMs = performance.now();
  let output = "";
  const counts = isJourney(file)
    ? await runJourneys([file], { proofs: true })
    : await runBunTest([file], {
        onOutput: (text) => {
          output += text;
        },
      });
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
  const minutes = (performance.now() - startedAtMs) / MS_PER_MINUTE;
  return entryOf({ name: nameOf(file), date, commit, ...counts, minutes, figures: figuresIn(output) });
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
