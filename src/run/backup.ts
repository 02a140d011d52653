import path from "node:path";
import { connect } from "#db/client.ts";
import { writeBackup } from "#src/backup/write-backup.ts";
import { explainError } from "#src/base/describe-error.ts";
import { recordBackup } from "#src/operate/work/backups.ts";
import { type Env, readEnv } from "#src/settings/env.ts";
import { readCommand, runCommand } from "./command-line.ts";
import { askNewPassphrase } from "./read-passphrase.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

// bun run backup FILE: writes the database into a new file, while the product runs. --uploads and --secrets add the uploads and
// the secret key, --encrypt asks for a passphrase if BACKUP_PASSPHRASE is not set. --nightly is for what makes one each night: then
// operators are told of one that failed or did not come. --rows is what every backup is now; schedulers of others may still say it.
const USAGE = "bun run backup FILE [--uploads] [--secrets] [--encrypt] [--nightly]";
const BYTES_PER_MB = 1e6;

await runCommand(async ({ say }) => {
  const { file, options } = readCommand(USAGE, [
    "--uploads",
    "--secrets",
    "--encrypt",
    "--rows",
    "--nightly",
  ]);
  requireDatabase();
  const env = readEnv();
  const passphrase = env.backupPassphrase ?? (options.has("--encrypt") ? await askNewPassphrase() : null);
  const write = () =>
    writeBackup(env, {
      file: path.resolve(file),
      passphrase,
      workFactor: env.backupWorkFactor,
      uploads: options.has("--uploads"),
      secrets: options.has("--secrets"),
      say,
    });
  const { bytes, rows, manifest } = await withDatabase(env, () =>
    options.has("--nightly") ? recorded(env, { write, say }) : write(),
  );
  const size = `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
  say(`${file}: ${rows} rows, ${size}, ${passphrase === null ? "not encrypted" : "encrypted"}`);
  if (!manifest.uploads) say("The uploads are not in it. Add --uploads to have them.");
});

type Recorded<Result> = { write: () => Promise<Result>; say: (line: string) => void };

/** Writes a backup, and records whether it was written. A record that cannot be made takes nothing from the backup. */
async function recorded<Result>(
  { ownerDatabaseUrl }: Env,
  { write, say }: Recorded<Result>,
): Promise<Result> {
  const record = async (failure: string | null) => {
    const pool = connect(ownerDatabaseUrl, { poolSize: 1 });
    try {
      await recordBackup(pool.db, failure);
    } catch (error) {
      say(`Operators are not told of it: ${explainError(error)}`);
    } finally {
      await pool.close();
    }
  };
  try {
    const written = await write();
    await record(null);
    return written;
  } catch (error) {
    await record(explainError(error));
    throw error;
  }
}
