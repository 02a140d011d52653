import { benchApi } from "./api.ts";
import { benchCable } from "./cable.ts";
import { benchKnownEmails } from "./known-emails.ts";
import { benchPage } from "./page.ts";
import { benchSettle } from "./settle.ts";
import { benchSignIns } from "./sign-ins.ts";
import { benchStart } from "./start.ts";
import { drawTable, type Table } from "./table.ts";
import { benchTimers } from "./timers.ts";

// bun run bench [name ...] [number] [--million]: all benches, or the named ones; a number is how many sockets the cable has.
// Only ratios within one table count: machines drift.
const benches = new Map<string, () => Promise<Table>>([
  ["api", benchApi],
  ["cable", benchCable],
  ["known-emails", benchKnownEmails],
  ["settle", benchSettle],
  ["page", benchPage],
  ["sign-ins", benchSignIns],
  ["start", benchStart],
  ["timers", benchTimers],
]);

const asked = process.argv.slice(2).filter((argument) => !/^(--|\d+$)/.test(argument));
const unknown = asked.filter((name) => !benches.has(name));
if (unknown.length > 0) {
  print(`There is no bench ${unknown.join(", ")}. There are: ${[...benches.keys()].join(", ")}.`);
  process.exit(1);
}
for (const [name, bench] of benches) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  print(drawTable(await bench()));
}
process.exit(0);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
