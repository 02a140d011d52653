import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { $ } from "bun";
import * as v from "valibot";
import { benchApi } from "./api.ts";
import { benchBrowser } from "./browser/browser.ts";
import { benchCable } from "./cable/cable.ts";
import { withSteal } from "./cpu.ts";
import { benchPages } from "./pages.ts";
import { benchSettle } from "./settle/settle.ts";
import { benchShow } from "./show/show.ts";
import { isMet, showFigure, showLimit, type Goal, type Table } from "./table.ts";
import { benchTimers } from "./timers/timers.ts";

/** What one bench has measured. `stealShare`: how much CPU time the machine's host took away meanwhile, from 0 to 1. */
type BenchRun = { bench: string; tables: readonly Table[]; stealShare: number };

const FILES = {
  page: path.join(import.meta.dir, "SPEED.md"),
  figures: path.join(import.meta.dir, "speed.json"),
};

/** The figures of a report, which the next one is compared with: `bench: what` and the measured figure. */
const figures = v.record(v.string(), v.nullable(v.number()));
type Figures = v.InferOutput<typeof figures>;

/** Writes all goals and tables as Markdown, beside the figures of the report before. @returns the file. */
async function writeReport(
  runs: readonly BenchRun[],
  about: { commit: string; before: Figures },
): Promise<string> {
  await Bun.write(FILES.page, reportOf(runs, about));
  await Bun.write(FILES.figures, `${JSON.stringify(figuresOf(runs), null, 2)}\n`);
  return FILES.page;
}

/** The figures of the last report; none if there is no report. */
function readFigures(): Figures {
  try {
    return v.parse(figures, JSON.parse(readFileSync(FILES.figures, "utf8")));
  } catch {
    return {};
  }
}

function figuresOf(runs: readonly BenchRun[]): Figures {
  return Object.fromEntries(goalsOf(runs).map(({ bench, goal }) => [keyOf(bench, goal), goal.measured]));
}

const goalsOf = (runs: readonly BenchRun[]) =>
  runs.flatMap(({ bench, tables }) =>
    tables.flatMap(({ goals = [] }) => goals.map((goal) => ({ bench, goal }))),
  );
const keyOf = (bench: string, { what }: Goal) => `${bench}: ${what}`;

/** The report as Markdown. */
function reportOf(
  runs: readonly BenchRun[],
  { commit, before }: { commit: string; before: Figures },
): string {
  const goals = goalsOf(runs);
  const met = goals.filter(({ goal }) => isMet(goal)).length;
  return [
    "# Speed",
    "",
    "Measured by `bun run bench all`. Each baseline was measured in the same run. Compare ratios, because machines differ.",
    "",
    `- Commit ${commit}, ${new Date().toISOString().slice(0, 10)}`,
    `- ${machine()}. Servers, databases and clients share it.`,
    `- ${met} of ${goals.length} goals are met.`,
    "",
    "## Goals",
    "",
    ...goalsTable(goals, before),
    "",
    ...runs.flatMap(sectionOf),
  ].join("\n");
}

function goalsTable(goals: ReturnType<typeof goalsOf>, before: Figures): string[] {
  const rows = goals.map(({ bench, goal }) => rowOf(bench, goal, before));
  return markdownTable([["bench", "what", "goal", "before", "measured", "met"], ...rows]);
}

function rowOf(bench: string, goal: Goal, before: Figures): string[] {
  const old = before[keyOf(bench, goal)] ?? null;
  return [
    bench,
    goal.what,
    showLimit(goal),
    old === null ? "-" : showFigure(old, goal.unit),
    showFigure(goal.measured, goal.unit),
    isMet(goal) ? "yes" : "**no**",
  ];
}

function sectionOf({ bench, tables, stealShare }: BenchRun): string[] {
  const steal = `${(stealShare * 100).toFixed(0)} % of the CPU time was taken by the machine's host.`;
  return [
    `## ${bench}`,
    "",
    steal,
    "",
    ...tables.flatMap(({ title, rows, notes }) => [
      `**${title}**`,
      "",
      ...markdownTable(rows),
      "",
      ...notes.flatMap((note) => [note, ""]),
    ]),
  ];
}

/** A table in Markdown, as lines. The first row names the columns. */
function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    line(head),
    line(head.map((_, index) => (isOfNumbers(rows, index) ? "---:" : "---"))),
    ...rows.map(line),
  ];
}

/** Columns of numbers are aligned at their end. */
function isOfNumbers(rows: readonly (readonly string[])[], index: number): boolean {
  return rows.every((row) => /^([-\d]|$)/.test(row[index] ?? ""));
}

function machine(): string {
  const [cpu] = os.cpus();
  const memoryGb = Math.round(os.totalmem() / 1024 ** 3);
  return `${os.availableParallelism()} cores (${cpu?.model.trim() ?? "unknown"}), ${memoryGb} GB, ${os.type()} ${os.release()}, Bun ${Bun.version}`;
}

// bun run bench [name ...] [number] [--million]: all benches, or the named ones. `bench all` also writes the report. The number is the
// count of sockets of the cable bench, or the players of the show bench. Compare only ratios within one table, because the speed of a
// machine varies.
/** The longest ones are last. */
const benches = new Map<string, () => Promise<Table | Table[]>>([
  ["api", benchApi],
  ["timers", benchTimers],
  ["settle", benchSettle],
  ["cable", benchCable],
  ["browser", benchBrowser],
  ["pages", benchPages],
  ["show", benchShow],
]);

const named = process.argv.slice(2).filter((argument) => !/^(--|\d+$)/.test(argument));
const all = named.includes("all");
const requested = named.filter((name) => name !== "all");
const unknown = requested.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  print(`Unknown bench: ${unknown.join(", ")}. Known: all, ${[...benches.keys()].join(", ")}.`);
  process.exit(1);
}
const runs: BenchRun[] = [];
const about = { commit: await findCommit(), before: readFigures() };
for (const [name, bench] of benches) {
  if (!all && requested.length > 0 && !requested.includes(name)) continue;
  const { result, stealShare } = await withSteal(bench);
  const run = { bench: name, tables: [result].flat(), stealShare };
  print([...sectionOf(run), ...goalsTable(goalsOf([run]), about.before)].join("\n"));
  runs.push(run);
  // After each bench: all of them take half an hour.
  if (all) print(`\nThe report so far: ${await writeReport(runs, about)}`);
}
process.exit(0);

async function findCommit(): Promise<string> {
  return (await $`git describe --always --dirty`.nothrow().quiet().text()).trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
