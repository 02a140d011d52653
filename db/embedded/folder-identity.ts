import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as v from "valibot";
import { DatabaseRefused } from "../upgrade/refusal.ts";

// A copied data folder has the files of the original: its records of processes, its pid files, and sometimes a link to its
// database. All of them are recognized, so that a copy never ends or uses what is the original's.

const OWNER_FILE = "called-it-folder";
const ownerSchema = v.object({ dataDir: v.string(), identity: v.string() });

/** Identifies a folder on this machine: a copy has another identity, a moved or mounted folder the same. Empty if there is none. */
export function folderIdentity(folder: string): string {
  const entry = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? "" : `${entry.dev}:${entry.ino}`;
}

/**
 * Marks a cluster as that of a data folder.
 * @throws DatabaseRefused if it is that of another data folder, to which this one has a copied link.
 */
export function claimCluster(dataDir: string, cluster: string): void {
  const identity = folderIdentity(dataDir);
  const file = path.join(cluster, OWNER_FILE);
  const owner = readOwner(file);
  if (owner?.identity === identity && owner.dataDir === dataDir) return;
  if (owner !== null && owner.identity !== identity && isInUse(owner, cluster)) {
    throw new DatabaseRefused(
      `${dataDir} is a copy of ${owner.dataDir} without its database: both have a link to ${cluster}. Nothing was changed. ` +
        "To copy the database too, run `bun run backup FILE` with DATA_DIR set to the original, and `bun run restore FILE` with " +
        "DATA_DIR set to a new folder.",
    );
  }
  writeFileSync(file, JSON.stringify({ dataDir, identity }));
}

/** True if the owner is still there, with a database that is this cluster. A folder that was moved is there no more. */
function isInUse(owner: v.InferOutput<typeof ownerSchema>, cluster: string): boolean {
  const link = path.join(owner.dataDir, "postgres");
  return (
    folderIdentity(owner.dataDir) === owner.identity && existsSync(link) && realpathSync(link) === cluster
  );
}

function readOwner(file: string): v.InferOutput<typeof ownerSchema> | null {
  try {
    return v.parse(ownerSchema, JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

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
