import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseRefused } from "../upgrade/refusal.ts";

/**
 * The format of a data folder. Format 1 starts with the migration 0000_baseline. Increase it when a release can no longer use
 * the clusters of earlier releases.
 */
const FORMAT = "1";
const FILE_NAME = "called-it-format";

/** Writes the format into a new cluster before it gets its final name, so that every complete cluster has the file. */
export function writeFormat(cluster: string): void {
  writeFileSync(path.join(cluster, FILE_NAME), `${FORMAT}\n`);
}

/**
 * Checks the format before anything in the data folder is started or written. A folder without a cluster passes.
 * @throws DatabaseRefused with the folder and what to do.
 */
export function refuseOtherFormat(dataDir: string): void {
  const cluster = path.join(dataDir, "postgres");
  if (!existsSync(cluster)) return;
  const format = readFormat(cluster);
  if (format === FORMAT) return;
  const maker = Number(format) > Number(FORMAT) ? "a newer release" : "a release from before the baseline";
  throw new DatabaseRefused(
    `The database in ${cluster} was made by ${maker}, and this release cannot use it. Nothing was changed. ` +
      `Move ${dataDir} away or remove it to begin with an empty database, or run the release that made it.`,
  );
}

function readFormat(cluster: string): string | null {
  const file = path.join(cluster, FILE_NAME);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
