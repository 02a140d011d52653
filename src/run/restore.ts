import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { refuseContents } from "#db/backup/contents.ts";
import { refuseFilledDatabase } from "#db/backup/load-database.ts";
import { connect } from "#db/client.ts";
import { makeDataDir } from "#db/embedded/data-folder.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import { isEncrypted } from "#src/backup/encrypted.ts";
import type { Manifest } from "#src/backup/manifest.ts";
import { findBackup, readBackupAddress } from "#src/backup/places.ts";
import { BackupRefused } from "#src/backup/refusal.ts";
import { type BackupFile, checkBackup, restoreBackup, type RestorePlan } from "#src/backup/restore-backup.ts";
import { connectRedis, countKeys } from "#src/base/redis.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { type Env, ownVariables, readBackupSettings, readDataDir, readEnv } from "#src/settings/env.ts";
import { readCommand, runCommand } from "./command-line.ts";
import { askPassphrase } from "./read-passphrase.ts";
import { inScratchDatabase, noStore, withStagedServer } from "./scratch-database.ts";

// bun run restore FILE: checks a backup, and restores it into an empty data folder (DATA_DIR), or into an empty database
// (DATABASE_URL). Then it checks the books, and exits with 1 if they do not agree. FILE may be an object of a bucket; of a folder or a
// prefix, and of BACKUP_TO without FILE, the newest is taken. --rehearse does the same with a database that it makes and removes.
const USAGE = "bun run restore FILE [--rehearse]";

const REDIS_REPLY_MS = 3_000;

await runCommand(async ({ say }) => {
  const startedAtMs = performance.now();
  const settings = readBackupSettings();
  const { file, options } = readCommand(USAGE, ["--rehearse"], settings.to);
  const backup = await openBackup(file, settings);
  say(`Check ${backup.file}`);
  const checked = { backup, ...(await checkBackup(backup)), say };
  refuseContents(checked.manifest.contents);
  say(`Restore the database of ${checked.manifest.createdAt}`);
  if (!options.has("--rehearse")) return restore(checked);
  const agree = await inScratchDatabase(say, async (databaseUrl) => {
    await restoreBackup({ ...checked, databaseUrl, store: noStore, keepSecretKey: () => undefined });
    await migrate(databaseUrl);
    return checkBooks(databaseUrl, say);
  });
  const found = agree ? "It can be restored" : "It can be restored, but its books differ";
  say(
    `${found}. That took ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s, and nothing of it is left.`,
  );
});

async function restore(checked: Pick<RestorePlan, "backup" | "manifest" | "end" | "say">): Promise<void> {
  const { manifest, say } = checked;
  await inRestoreTarget(manifest, async ({ env, keepSecretKey }) => {
    const databaseUrl = env.ownerDatabaseUrl;
    await restoreBackup({ ...checked, databaseUrl, store: createStore(env.storage), keepSecretKey });
    // Grants the rights of the application's role too, which a backup does not have.
    await migrate(databaseUrl, env);
    await checkBooks(databaseUrl, say);
    if (manifest.secrets && env.production)
      say(
        `SECRET_KEY of the backup is in ${env.dataDir}/secret-key. Put it into the settings: then sign-ins go on.`,
      );
  });
  if (!manifest.uploads) say("The backup has no uploads. Copy them from where they are stored.");
  if (!manifest.secrets) {
    say(
      "The backup has no secret key. With another SECRET_KEY all players sign in again, and must allow push messages again.",
    );
  }
  say(`Breaks and limits of players from after ${manifest.createdAt} are not in it (deploy/backup.md).`);
  say("Restored. The next start sets the alarms and queues of the running sessions again.");
}

async function openBackup(
  file: string,
  { keys, passphrase }: ReturnType<typeof readBackupSettings>,
): Promise<BackupFile> {
  const { file: name, bytes } = await findBackup(readBackupAddress(file, keys));
  if (!(await isEncrypted(bytes))) return { file: name, bytes, passphrase: null };
  return { file: name, bytes, passphrase: passphrase ?? (await askPassphrase("Passphrase of the backup: ")) };
}

/** @returns whether they agree. */
async function checkBooks(databaseUrl: string, say: (line: string) => void): Promise<boolean> {
  await using pool = connect(databaseUrl, { poolSize: 1 });
  await pool.sql`ANALYZE`;
  const differences = (await runChecks(pool.db)).filter(({ bad }) => bad !== 0);
  for (const { name, bad } of differences) say(`${name}: ${bad}`);
  const head = await findNewestSeal(pool.db);
  if (head !== null) say(`head of seal ${head.id}, ${head.sealedAt.toISOString()}: ${head.hash}`);
  if (differences.length === 0) say("The books and the scores agree.");
  else process.exitCode = 1;
  return differences.length === 0;
}

type RestoreTarget = {
  env: Env;
  /** Stores the secret key of the backup in the data folder. */
  keepSecretKey: (secretKey: string) => void;
};

/**
 * Runs `restore` on the empty target that the settings name. An embedded database is restored into a folder beside the data
 * folder, which gets its name at the end: after an error there is no data folder.
 */
async function inRestoreTarget(
  manifest: Manifest,
  restore: (target: RestoreTarget) => Promise<void>,
): Promise<void> {
  const { dataDir, embeddedDatabase } = readDataDir();
  if (!embeddedDatabase) return inExternalTarget(manifest, dataDir, restore);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new BackupRefused(
      `${dataDir} is not empty, and a backup is restored into an empty folder only. Set another one, such as ` +
        `DATA_DIR=${dataDir}-restored. Nothing was written.`,
    );
  }
  const staging = `${dataDir}.restoring`;
  const env = readEnv({ ...ownVariables(), DATA_DIR: staging });
  await requireEmptyRedis(env);
  await withStagedServer(env, () => restore({ env, keepSecretKey: secretKeeper(staging) }));
  renameSync(staging, dataDir);
}

async function inExternalTarget(
  manifest: Manifest,
  dataDir: string,
  restore: (target: RestoreTarget) => Promise<void>,
): Promise<void> {
  const taken = [
    ...(manifest.uploads ? ["storage"] : []),
    ...(manifest.secrets ? ["secret-key"] : []),
    // The embedded Redis of another database.
    "redis",
  ].filter((name) => existsSync(path.join(dataDir, name)));
  if (taken.length > 0) {
    throw new BackupRefused(
      `${dataDir} has data already (${taken.join(", ")}). Move it to another place, or set DATA_DIR to a folder that does not exist yet. ` +
        "Nothing was written.",
    );
  }
  const secretKey = path.join(dataDir, "secret-key");
  const hadSecretKey = existsSync(secretKey);
  try {
    // It makes a secret key where there is none.
    const env = readEnv();
    // First: who has aimed at the place that is in use must not be told to empty its Redis.
    await requireEmptyDatabase(env);
    await requireEmptyRedis(env);
    await restore({ env, keepSecretKey: secretKeeper(dataDir) });
  } catch (error) {
    if (!hadSecretKey) rmSync(secretKey, { force: true });
    throw error;
  }
}

/** @throws DatabaseRefused if the external database has tables. */
async function requireEmptyDatabase({ ownerDatabaseUrl }: Env): Promise<void> {
  await using pool = connect(ownerDatabaseUrl, { poolSize: 1 });
  await refuseFilledDatabase(pool.db);
}

/** @throws BackupRefused if the external Redis has keys: they would be messages and jobs of another state of the database. */
async function requireEmptyRedis({ embedded, redisUrl }: Env): Promise<void> {
  if (embedded.redis) return;
  const redis = connectRedis(redisUrl, "subscribe");
  try {
    const keys = await Promise.race([countKeys(redis), Bun.sleep(REDIS_REPLY_MS).then(() => null)]);
    if (keys === 0) return;
    throw new BackupRefused(
      keys === null
        ? "Redis does not answer, and it must be empty for a restore. Correct REDIS_URL. Nothing was written."
        : `Redis has ${keys} keys of another state of the database. Empty it (bun run empty-redis), or set REDIS_URL to another ` +
            "number, such as redis://host:6379/1. Nothing was written.",
    );
  } finally {
    redis.disconnect();
  }
}

function secretKeeper(folder: string): (secretKey: string) => void {
  const file = path.join(folder, "secret-key");
  return (secretKey) => {
    // With SECRET_KEY in the settings nothing has made it.
    makeDataDir(folder);
    rmSync(file, { force: true });
    writeFileSync(file, secretKey, { mode: 0o600 });
    chmodSync(file, 0o600);
  };
}
