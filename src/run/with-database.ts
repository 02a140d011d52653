import { existsSync } from "node:fs";
import path from "node:path";
import { dataFolderOf, removeSocketFolder } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { BackupRefused } from "#src/backup/refusal.ts";
import { type Env, readDataDir } from "#src/settings/env.ts";
import { claimDataDir, START_FILE, StartRefused } from "./claim-data-dir.ts";

/** @throws BackupRefused if the data folder in the settings has no database, or if it does not exist. */
export function requireDatabase(): void {
  const { dataDir, embeddedDatabase } = readDataDir();
  if (!embeddedDatabase || existsSync(path.join(dataDir, "postgres"))) return;
  if (existsSync(path.join(dataDir, START_FILE)))
    throw new BackupRefused(
      `The first start in ${dataDir} has not made the database yet. Try again when it says that Called It is open. Nothing was written.`,
    );
  throw new BackupRefused(
    `There is no database in ${dataDir}. Set DATA_DIR to the data folder, or DATABASE_URL to the database. Nothing was written.`,
  );
}

/** Runs work on the database in the settings. An embedded one is started for it, unless a start is using it. */
export async function withDatabase<Result>(env: Env, work: () => Promise<Result>): Promise<Result> {
  if (!env.embedded.database) return work();
  const claim = claimUnlessRunning(env);
  if (claim === null) return work();
  const dataFolder = dataFolderOf(env.dataDir);
  try {
    const server = await startPostgres(dataFolder, { durable: true });
    try {
      return await work();
    } finally {
      await server.stop();
    }
  } finally {
    removeSocketFolder(dataFolder);
    claim.release();
  }
}

function claimUnlessRunning(env: Env): { release: () => void } | null {
  try {
    return claimDataDir(env);
  } catch (error) {
    if (error instanceof StartRefused) return null;
    throw error;
  }
}
