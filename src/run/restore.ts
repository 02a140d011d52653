import { existsSync } from "node:fs";
import path from "node:path";
import { refuseContents } from "#db/backup/refuse-contents.ts";
import { connect } from "#db/client.ts";
import { findNewestSeal } from "#db/ledger/seal-journals.ts";
import { migrate } from "#db/migrate.ts";
import { isEncrypted } from "#src/backup/encrypted.ts";
import { type BackupFile, checkBackup } from "#src/backup/read-backup.ts";
import { BackupRefused } from "#src/backup/refusal.ts";
import { restoreBackup } from "#src/backup/restore-backup.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { backupPassphrase, type Env } from "#src/settings/env.ts";
import { readCommand, runCommand } from "./command-line.ts";
import { askPassphrase } from "./read-passphrase.ts";
import { inRestoreTarget } from "./restore-target.ts";

// bun run restore FILE: checks a backup, and restores it into an empty data folder (DATA_DIR), or into an empty database
// (DATABASE_URL). Then it checks the books, and exits with 1 if they do not agree.
const USAGE = "bun run restore FILE";

await runCommand(async ({ say }) => {
  const { file } = readCommand(USAGE, []);
  const backup = await openBackup(path.resolve(file));
  say(`Check ${file}`);
  const { manifest, end } = await checkBackup(backup);
  refuseContents(manifest.contents);
  await inRestoreTarget(manifest, async ({ env, keepSecretKey }) => {
    say(`Restore the database of ${manifest.createdAt}`);
    await restoreBackup({
      backup,
      manifest,
      end,
      databaseUrl: env.ownerDatabaseUrl,
      store: createStore(env.storage),
      keepSecretKey,
      say,
    });
    // Grants the rights of the application's role too, which a backup does not have.
    await migrate(env.ownerDatabaseUrl, env);
    await checkBooks(env, say);
  });
  if (!manifest.uploads) say("The backup has no uploads. Copy them from where they are stored.");
  if (!manifest.secrets) {
    say(
      "The backup has no secret key. With another SECRET_KEY all players sign in again, and must allow push messages again.",
    );
  }
  say("Restored. The next start sets the alarms and queues of the running sessions again.");
});

async function openBackup(file: string): Promise<BackupFile> {
  if (!existsSync(file)) throw new BackupRefused(`There is no file ${file}. Nothing was written.`);
  if (!(await isEncrypted(file))) return { file, passphrase: null };
  return { file, passphrase: backupPassphrase() ?? (await askPassphrase("Passphrase of the backup: ")) };
}

async function checkBooks({ ownerDatabaseUrl }: Env, say: (line: string) => void): Promise<void> {
  const pool = connect(ownerDatabaseUrl, { poolSize: 1 });
  try {
    await pool.sql`ANALYZE`;
    const differences = (await runChecks(pool.db)).filter(({ bad }) => bad !== 0);
    for (const { name, bad } of differences) say(`${name}: ${bad}`);
    const head = await findNewestSeal(pool.db);
    if (head !== null) say(`head of seal ${head.id}, ${head.sealedAt.toISOString()}: ${head.hash}`);
    if (differences.length === 0) say("The books and the scores agree.");
    else process.exitCode = 1;
  } finally {
    await pool.close();
  }
}
