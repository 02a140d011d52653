import { benchApi } from "./api.ts";
import { benchBrowser } from "./browser/browser.ts";
import { benchCable } from "./cable/cable.ts";
import { benchGrowth } from "./growth.ts";
import { benchKnownEmails } from "./known-emails.ts";
import { benchPage } from "./page.ts";
import { benchPages } from "./pages.ts";
import { benchSettle } from "./settle/settle.ts";
import { benchSignIns } from "./sign-ins.ts";
import { benchStart } from "./start.ts";
import { drawTable, type Table } from "./table.ts";
import { benchTimers } from "./timers.ts";

// bun run bench [name ...] [number] [--million]: all benches, or the named ones. The number is the count of sockets of the
// cable bench, or the largest size of the growth bench. Compare only ratios within one table, because the speed of a machine varies.
const benches = new Map<string, () => Promise<Table | Table[]>>([
  ["api", benchApi],
  ["browser", benchBrowser],
  ["cable", benchCable],
  ["growth", benchGrowth],
  ["known-emails", benchKnownEmails],
  ["settle", benchSettle],
  ["page", benchPage],
  ["pages", benchPages],
  ["sign-ins", benchSignIns],
  ["start", benchStart],
  ["timers", benchTimers],
]);

const requested = process.argv.slice(2).filter((argument) => !/^(--|\d+$)/.test(argument));
const unknown = requested.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  print(`Unknown bench: ${unknown.join(", ")}. Known: ${[...benches.keys()].join(", ")}.`);
  process.exit(1);
}
for (const [name, bench] of benches) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  for (const table of [await bench()].flat()) print(drawTable(table));
}
process.exit(0);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
