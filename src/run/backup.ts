import path from "node:path";
import { writeBackup } from "#src/backup/write-backup.ts";
import { readEnv } from "#src/settings/env.ts";
import { readCommand, runCommand } from "./command-line.ts";
import { askNewPassphrase } from "./read-passphrase.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

// bun run backup FILE: writes the database into a new file, while the product runs. --uploads and --secrets add the uploads and
// the secret key, --encrypt asks for a passphrase if BACKUP_PASSPHRASE is not set. An external database is written by pg_dump where
// the machine has one for that Postgres; --rows writes it so that its restore needs no pg_restore.
const USAGE = "bun run backup FILE [--uploads] [--secrets] [--encrypt] [--rows]";
const BYTES_PER_MB = 1e6;

await runCommand(async ({ say }) => {
  const { file, options } = readCommand(USAGE, ["--uploads", "--secrets", "--encrypt", "--rows"]);
  requireDatabase();
  const env = readEnv();
  const passphrase = env.backupPassphrase ?? (options.has("--encrypt") ? await askNewPassphrase() : null);
  const { bytes, rows, manifest } = await withDatabase(env, () =>
    writeBackup(env, {
      file: path.resolve(file),
      passphrase,
      workFactor: env.backupWorkFactor,
      uploads: options.has("--uploads"),
      secrets: options.has("--secrets"),
      usePgDump: !env.embedded.database && !options.has("--rows"),
      say,
    }),
  );
  const size = `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
  const what = manifest.database === "pg_dump" ? "the database by pg_dump" : `${rows} rows`;
  say(`${file}: ${what}, ${size}, ${passphrase === null ? "not encrypted" : "encrypted"}`);
  if (!manifest.uploads) say("The uploads are not in it. Add --uploads to have them.");
});
