import path from "node:path";
import { openBenchDeps } from "../bench-deps.ts";
import { drawTable, type Table } from "../table.ts";
import { readAssumptions } from "./assumptions.ts";
import { findBrokenKeys, readKeys, readMissingColumns, readTables } from "./check-keys.ts";
import { checkModel, isClose } from "./check-model.ts";
import { drawPage } from "./draw-page.ts";
import { keysTables } from "./keys-table.ts";
import { measureUnits } from "./measure.ts";
import { planFor } from "./model.ts";
import { readStored, type Stored, writeStored } from "./stored.ts";
import { assumptionsTable, checkedTable, coresTable, limitsTable, plansTable, unitsTable } from "./tables.ts";
import { writePart } from "./write-report.ts";

// bun run capacity [--check] [--stored] [--live-share=0.2 ...] | keys
// Measures the unit costs of this machine in about three minutes, models 10^3 to 10^7 players, and writes CAPACITY.md and
// capacity.html. --check then plays a show with 200 and with 1,000 players, and compares. --stored takes the unit costs of the last
// run and writes no document: for other assumptions. keys: which keys of the schema several database servers could not hold.
const PLAYERS = [1e3, 1e4, 1e5, 1e6, 1e7];
const PAGE = path.join(import.meta.dir, "../capacity.html");
const STEAL_MAX = 0.1;

const args = process.argv.slice(2);
const assumed = readAssumptions(args.filter((arg) => arg.includes("=")));
const unknown = args.find((arg) => !arg.includes("=") && !["keys", "--check", "--stored"].includes(arg));
if (unknown !== undefined) throw new Error(`Unknown argument ${unknown}. Known: keys, --check, --stored.`);

if (args.includes("keys")) await checkKeys();
else await runModel(args.includes("--stored") ? readStored() : await measure());
process.exit(process.exitCode ?? 0);

async function measure(): Promise<Stored> {
  const units = await measureUnits(print);
  if (units.stealShare > STEAL_MAX)
    print("The machine's host took CPU time away, so these figures say little.");
  const checked = args.includes("--check") ? await checkModel(units, print) : [];
  await writeStored({ units, checked });
  if (!checked.every(isClose)) process.exitCode = 1;
  return { units, checked };
}

async function runModel(stored: Stored): Promise<void> {
  const { units, checked } = stored;
  const plans = PLAYERS.map((players) => planFor(players, units, assumed));
  const tables: Table[] = [
    plansTable(plans),
    coresTable(plans),
    limitsTable(plans, units, assumed),
    assumptionsTable(assumed),
    unitsTable(units),
    ...(checked.length > 0 ? [checkedTable(checked)] : []),
  ];
  for (const table of tables) print(drawTable(table));
  await Bun.write(PAGE, drawPage(stored, plans, assumed));
  print(`\nDrawn: ${PAGE}`);
  if (args.some((arg) => arg.includes("="))) return;
  const steal = `${(units.stealShare * 100).toFixed(0)} % of the CPU time was taken by the machine's host`;
  const about = `Measured on ${units.measuredOn} at commit ${units.commit}: ${units.machine}; ${steal}.`;
  await writePart("figures", [about], tables);
}

async function checkKeys(): Promise<void> {
  const deps = await openBenchDeps();
  try {
    const [keys, tables] = [await readKeys(deps), await readTables(deps)];
    const result = keysTables({
      keys,
      tables,
      broken: findBrokenKeys(keys),
      missing: await readMissingColumns(deps),
    });
    for (const table of result) print(drawTable(table));
    await writePart("keys", [], result);
  } finally {
    await deps.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
