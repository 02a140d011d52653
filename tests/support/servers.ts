import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "#db/client.ts";
import { APPLICATION_ROLE, makeDataDir, type DataFolder, dataFolderOf } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { startWatchdog } from "#db/embedded/server.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { filesFolder } from "./files-folder.ts";

declare global {
  // Test files can have separate module instances, so the servers of the run are stored on globalThis.
  var calledItServers: Promise<TestServers> | undefined;
}

/** Shared by one `bun test` process: a folder, and a Postgres whose database `called_it` is the migrated, empty template. */
export type TestServers = { folder: string; dataFolder: DataFolder };

/**
 * The servers of this process, started with the first use. They end with the process, also when it is killed, so no test stops
 * them.
 * @param library what Postgres loads at its start, if this is the first use.
 */
export function testServers(library?: string): Promise<TestServers> {
  globalThis.calledItServers ??= start(library);
  return globalThis.calledItServers;
}

async function start(library?: string): Promise<TestServers> {
  // What a bench measures is on disk, and a proof fills more than memory may have.
  const isTest = /\.test\.tsx?$/.test(Bun.main);
  const folder = mkdtempSync(path.join(isTest ? filesFolder() : tmpdir(), "called-it-test-"));
  // Root's Postgres runs as another user, who must be able to enter this folder.
  chmodSync(folder, 0o711);
  startWatchdog(["/bin/sh", "-c", 'sleep 1; rm -rf -- "$0"', folder]);
  const dataFolder = dataFolderOf(path.join(folder, "data"));
  makeDataDir(dataFolder.dataDir);
  if (library !== undefined) await setForStart(dataFolder, `shared_preload_libraries = '${library}'`);
  await startPostgres(dataFolder, { durable: false });
  await migrate(dataFolder.ownerUrl, { applicationRole: APPLICATION_ROLE });
  return { folder, dataFolder };
}

/** Sets what a Postgres has from its next start on. */
export async function setForStart(dataFolder: DataFolder, setting: string): Promise<void> {
  const server = await startPostgres(dataFolder, { durable: false });
  const { sql, close } = connect(dataFolder.ownerUrl);
  await sql.unsafe(`ALTER SYSTEM SET ${setting}`);
  await close();
  await server.stop();
}
