import { migrate } from "#db/migrate.ts";
import { REPLACE_NEWER_SQL } from "#db/upgrade/refusal.ts";
import { createLog } from "#src/base/log.ts";
import { readMigration } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

// bun run migrate: updates the database in the settings to this release's schema, functions and triggers. `bun run start`
// does the same. --replace-newer-sql deliberately replaces the functions and triggers of a newer release by those of this one.
await runCommand(async () => {
  const env = readMigration();
  const replaceNewerSql = process.argv.includes(REPLACE_NEWER_SQL);
  await migrate(env.ownerDatabaseUrl, { replaceNewerSql, applicationRole: env.applicationRole });
  createLog(env, "migrate").info("the database is up to date");
});
