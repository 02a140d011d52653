import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseRefused } from "../upgrade/refusal.ts";

/**
 * The format of a data folder: 1 begins with the migration 0000_baseline. It goes up when a release can no longer use the
 * clusters of the releases before it.
 */
const FORMAT = "1";
const FILE_NAME = "called-it-format";

/** Marks a new cluster, before it gets its name: a complete cluster always has its mark. */
export function writeFormat(cluster: string): void {
  writeFileSync(path.join(cluster, FILE_NAME), `${FORMAT}\n`);
}

/**
 * Looks at the data folder before anything in it is started or written; a folder without a cluster is fine.
 * @throws DatabaseRefused naming the folder and the cure.
 */
export function refuseOtherFormat(dataDir: string): void {
  const cluster = path.join(dataDir, "postgres");
  if (!existsSync(cluster)) return;
  const found = readFormat(cluster);
  if (found === FORMAT) return;
  const maker = Number(found) > Number(FORMAT) ? "a newer release" : "a release from before the baseline";
  throw new DatabaseRefused(
    `The database in ${cluster} was made by ${maker}, and this release cannot use it. Nothing was changed. ` +
      `Move ${dataDir} away or remove it to begin with an empty database, or run the release that made it.`,
  );
}

function readFormat(cluster: string): string | null {
  const file = path.join(cluster, FILE_NAME);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
