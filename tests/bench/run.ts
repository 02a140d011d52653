import { $ } from "bun";
import { benchApi } from "./api.ts";
import { benchBrowser } from "./browser/browser.ts";
import { benchCable } from "./cable/cable.ts";
import { withSteal } from "./cpu.ts";
import { benchPage, benchPages } from "./pages.ts";
import { type BenchRun, readFigures, writeReport } from "./report.ts";
import { benchSettle } from "./settle/settle.ts";
import { benchShow } from "./show/show.ts";
import { drawTable, type Table } from "./table.ts";
import { benchTimers } from "./timers/timers.ts";

// bun run bench [name ...] [number] [--million]: all benches, or the named ones. `bench all` also writes the report. The number is the
// count of sockets of the cable bench, or the players of the show bench. Compare only ratios within one table, because the speed of a
// machine varies.
/** The longest ones are last. */
const benches = new Map<string, () => Promise<Table | Table[]>>([
  ["page", benchPage],
  ["api", benchApi],
  ["timers", benchTimers],
  ["settle", benchSettle],
  ["cable", benchCable],
  ["browser", benchBrowser],
  ["pages", benchPages],
  ["show", benchShow],
]);

/** Above this share of CPU time that the machine's host takes away, figures say little. */
const STEAL_MAX = 0.1;

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
  const tables = [result].flat();
  for (const table of tables) print(drawTable(table));
  if (stealShare > STEAL_MAX) print("The machine's host took CPU time away, so these figures say little.");
  runs.push({ bench: name, tables, stealShare });
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
