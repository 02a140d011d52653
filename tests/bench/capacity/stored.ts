import { readFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { unitsSchema } from "./units.ts";

const FILE = path.join(import.meta.dir, "capacity.json");

const checked = v.object({
  players: v.number(),
  what: v.string(),
  unit: v.string(),
  model: v.number(),
  measured: v.number(),
});
/** One figure of the model beside the measured one. */
export type Checked = v.InferOutput<typeof checked>;

const stored = v.object({ units: unitsSchema, checked: v.array(checked) });
/** What was measured last. `checked` is empty before the first `--check`. */
export type Stored = v.InferOutput<typeof stored>;

/** Throws if nothing was stored yet. */
export function readStored(): Stored {
  return v.parse(stored, JSON.parse(readFileSync(FILE, "utf8")));
}

export async function writeStored(measured: Stored): Promise<void> {
  await Bun.write(FILE, `${JSON.stringify(measured, null, 2)}\n`);
}
