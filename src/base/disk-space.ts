import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Env } from "#src/settings/env.ts";

/** With less, Postgres and Redis are about to refuse every write. */
const FREE_BYTES_MIN = 64 * 1_048_576;

/** The folders of the data that this machine stores: the data folder, and the database where a link leads elsewhere. */
export function storedFolders({
  dataDir,
  embedded,
  storage,
}: Pick<Env, "dataDir" | "embedded" | "storage">): string[] {
  const own = embedded.redis || storage.kind === "disk" ? [dataDir] : [];
  return embedded.database ? [...own, path.join(dataDir, "postgres")] : own;
}

/**
 * True if the file system of one of these folders is full, or nearly.
 * @param freeMinBytes how much must be free. A folder that does not exist yet counts as not full.
 */
export async function isDiskFull(
  folders: readonly string[],
  freeMinBytes = FREE_BYTES_MIN,
): Promise<boolean> {
  const full = await Promise.all(folders.map((folder) => hasLess(folder, freeMinBytes)));
  return full.includes(true);
}

async function hasLess(folder: string, freeMinBytes: number): Promise<boolean> {
  try {
    // bavail: what is free for others than root.
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < freeMinBytes;
  } catch {
    return false;
  }
}
