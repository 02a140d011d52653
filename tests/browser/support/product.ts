import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as v from "valibot";

export const TOP = path.join(import.meta.dirname, "../../..");

const product = v.object({
  url: v.string(),
  siteUrl: v.string(),
  ownerDatabaseUrl: v.string(),
  redisUrl: v.string(),
});

/** The product that the journeys visit: its URL and its servers, and another site that may have it in a frame. */
export type Product = v.InferOutput<typeof product>;

/** The file in which a run of Playwright with this process id records its product. */
export function productFile(runPid: number): string {
  return path.join(tmpdir(), `called-it-journeys-${runPid}.json`);
}

/** The product of this run, read by one of its worker processes; null before it is started. */
export function findProduct(): Product | null {
  try {
    return v.parse(product, JSON.parse(readFileSync(productFile(process.ppid), "utf8")));
  } catch {
    return null;
  }
}
