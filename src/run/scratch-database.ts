import { readdirSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { addressOf } from "#db/address.ts";
import { connect } from "#db/client.ts";
import {
  createDatabase,
  DatabaseNotCreated,
  dropDatabase,
  dropLeftDatabase,
  listDatabases,
} from "#db/create-database.ts";
import { dataFolderOf, removeSocketFolder } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { BackupRefused } from "#src/backup/refusal.ts";
import type { Store } from "#src/base/store.ts";
import { type Env, ownVariables, readDataDir, readEnv, readMigration } from "#src/settings/env.ts";
import { claimDataDir, START_FILE } from "./claim-data-dir.ts";

/** Keeps nothing: the uploads of a backup were read when it was checked. */
export const noStore: Store = {
  put: async () => undefined,
  get: async () => null,
  remove: async () => undefined,
  trouble: () => null,
};

/**
 * Runs work on an empty database that is removed afterwards, whatever happens: beside the database in the settings, made by the role that
 * makes those of dry runs, or else in a folder beside the data folder.
 * One that an ended rehearsal has left goes first.
 * @throws BackupRefused if the role may not create it, or if there is one that is used or that something else has made.
 */
export async function inScratchDatabase<Result>(
  say: (line: string) => void,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const { dataDir, embeddedDatabase } = readDataDir();
  if (embeddedDatabase) {
    const env = readEnv({ ...ownVariables(), DATA_DIR: `${dataDir}.rehearsing` });
    const result = await withStagedServer(env, () => work(env.ownerDatabaseUrl));
    removeStaged(env.dataDir);
    return result;
  }
  const { directDatabaseUrl: url } = readMigration();
  const { database, username } = addressOf(url);
  const name = `${database}_rehearsal`;
  if (await dropLeftDatabase(url, name)) say(`Removed ${name}, which a rehearsal had left that was ended.`);
  if ((await listDatabases(url, name)).includes(name)) {
    throw new BackupRefused(
      `There is a database ${name}: another rehearsal runs, or something else has made it. If nobody needs it, remove it: DROP DATABASE "${name}". Nothing was written.`,
    );
  }
  try {
    const scratchUrl = await createDatabase(url, name);
    // Another rehearsal sees that it is used, also between two connections of the work.
    await using used = connect(scratchUrl, { poolSize: 1 });
    await used.sql`SELECT 1`;
    return await work(scratchUrl);
  } catch (error) {
    if (!(error instanceof DatabaseNotCreated)) throw error;
    throw new BackupRefused(
      `Postgres makes no database for a rehearsal (${error.reason}). As its administrator: ALTER ROLE "${username}" CREATEDB. ` +
        "Or without DATABASE_URL, with DATA_DIR in a new folder, the rehearsal starts a Postgres of its own. Nothing was written.",
      { cause: error },
    );
  } finally {
    await dropDatabase(url, name);
  }
}

/** Runs work beside a Postgres of its own in the data folder of `env`. After an error there is no such folder. */
export async function withStagedServer<Result>(env: Env, work: () => Promise<Result>): Promise<Result> {
  const folder = dataFolderOf(env.dataDir);
  const claim = claimDataDir(env);
  try {
    emptyFolder(env.dataDir);
    const server = await startPostgres(folder, { durable: true });
    try {
      return await work();
    } finally {
      await server.stop();
      removeSocketFolder(folder);
    }
  } catch (error) {
    removeStaged(env.dataDir);
    throw error;
  } finally {
    claim.release();
  }
}

function removeStaged(folder: string): void {
  emptyFolder(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what an interrupted restore has left, with the database that a link points to. */
function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name === START_FILE || name === "secret-key") continue;
    const entry = path.join(folder, name);
    if (name === "postgres") rmSync(realpathSync(entry), { recursive: true, force: true });
    rmSync(entry, { recursive: true, force: true });
  }
}
