import { connect } from "#db/client.ts";
import {
  type BackupAddress,
  newBackup,
  readBackupAddress,
  removeOldest,
  requirePlace,
} from "#src/backup/places.ts";
import { checkBackup } from "#src/backup/restore-backup.ts";
import { writeBackup } from "#src/backup/write-backup.ts";
import { explainError } from "#src/base/describe-error.ts";
import { recordBackup } from "#src/operate/work/backups.ts";
import { type Env, readBackupSettings, readEnv } from "#src/settings/env.ts";
import { readCommand, runCommand } from "./command-line.ts";
import { askNewPassphrase } from "./read-passphrase.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

// bun run backup FILE: writes the database into a new file, or into a new object of a bucket, while the product runs, and reads it back.
// FILE may be a folder or a prefix: then the backup is named by its moment. Without FILE it is for what makes one each night: it goes to
// BACKUP_TO, where BACKUP_KEEP of them stay, and operators are told of one that failed or did not come; --nightly is that telling for a
// FILE. --uploads and --secrets add the uploads and the secret key, --encrypt asks for a passphrase if BACKUP_PASSPHRASE is not set.
// --rows is what every backup is now; schedulers of others may still say it.
const USAGE = "bun run backup FILE [--uploads] [--secrets] [--encrypt] [--nightly]";
const OPTIONS = ["--uploads", "--secrets", "--encrypt", "--rows", "--nightly"];
const BYTES_PER_MB = 1e6;

type Say = (line: string) => void;

await runCommand(async ({ say }) => {
  const settings = readBackupSettings();
  const { file, isGiven, options } = readCommand(USAGE, OPTIONS, settings.to);
  requireDatabase();
  const env = readEnv();
  const passphrase = env.backupPassphrase ?? (options.has("--encrypt") ? await askNewPassphrase() : null);
  const work = async (record: Record) => {
    const address = readBackupAddress(file, settings.keys);
    if (!isGiven) requirePlace(address);
    const written = await write(env, { address, passphrase, options, say });
    await record(written);
    const removed = isGiven ? [] : await removeOldest(address, written, settings.keep);
    for (const name of removed) say(`Removed ${name}: ${settings.keep} are kept.`);
  };
  await withDatabase(env, () =>
    isGiven && !options.has("--nightly") ? work(async () => undefined) : recorded(env, say, work),
  );
});

type Plan = { address: BackupAddress; passphrase: string | null; options: ReadonlySet<string>; say: Say };

/** Writes a backup and reads it back. One that cannot be read back is none, and is removed. @returns where it lies. */
async function write(env: Env, { address, passphrase, options, say }: Plan): Promise<string> {
  const stored = newBackup(address);
  const { bytes, rows, manifest } = await writeBackup(env, {
    file: stored.file,
    write: stored.write,
    passphrase,
    workFactor: env.backupWorkFactor,
    uploads: options.has("--uploads"),
    secrets: options.has("--secrets"),
    say,
  });
  try {
    await checkBackup({ ...stored, passphrase });
  } catch (error) {
    await stored.remove();
    throw error;
  }
  const size = `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
  say(`${stored.file}: ${rows} rows, ${size}, ${passphrase === null ? "not encrypted" : "encrypted"}`);
  if (!manifest.uploads) say("The uploads are not in it. Add --uploads to have them.");
  return stored.lies;
}

type Record = (place: string) => Promise<void>;

/** Records what the work has written, and that it failed. A record that cannot be made takes nothing from the backup. */
async function recorded(
  { ownerDatabaseUrl }: Env,
  say: Say,
  work: (record: Record) => Promise<void>,
): Promise<void> {
  const record = async (done: Parameters<typeof recordBackup>[1]) => {
    await using pool = connect(ownerDatabaseUrl, { poolSize: 1 });
    await recordBackup(pool.db, done).catch((error: unknown) =>
      say(`Operators are not told of it: ${explainError(error)}`),
    );
  };
  try {
    await work((place) => record({ place }));
  } catch (error) {
    await record({ failure: explainError(error) });
    throw error;
  }
}
