import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeDataDir, type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { afterDeath } from "#db/embedded/warden.ts";
import { migrate } from "#db/migrate.ts";

declare global {
  // Every test file may have modules of its own; what is started once per run hangs on the process.
  var calledItServers: Promise<TestServers> | undefined;
}

/** What one `bun test` run shares: a folder, and a Postgres whose `called_it` database is migrated, empty and never used. */
export type TestServers = { folder: string; dataFolder: DataFolder };

/**
 * The servers of this test run, started when the first test asks. Nothing needs to end them: they go with the process, also
 * when it is killed.
 */
export function testServers(): Promise<TestServers> {
  globalThis.calledItServers ??= start();
  return globalThis.calledItServers;
}

async function start(): Promise<TestServers> {
  const folder = mkdtempSync(path.join(tmpdir(), "called-it-test-"));
  // Root's Postgres runs as another user, who has to pass through here.
  chmodSync(folder, 0o711);
  afterDeath(["/bin/sh", "-c", 'sleep 1; rm -rf -- "$0"', folder]);
  const dataFolder = dataFolderOf(path.join(folder, "data"));
  makeDataDir(dataFolder.dataDir);
  await startPostgres(dataFolder, { durable: false });
  await migrate(dataFolder.databaseUrl);
  return { folder, dataFolder };
}
