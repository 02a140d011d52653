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
