import { migrate } from "#db/migrate.ts";
import { DatabaseRefused, REPLACE_NEWER_SQL } from "#db/upgrade/refusal.ts";
import { createLog } from "#src/base/log.ts";
import { readEnv } from "#src/settings/env.ts";

// bun run migrate: updates the database in the settings to this release's schema, functions and triggers. `bun run start`
// does the same. --replace-newer-sql deliberately replaces the functions and triggers of a newer release by those of this one.
const env = readEnv();
try {
  const replaceNewerSql = process.argv.includes(REPLACE_NEWER_SQL);
  await migrate(env.ownerDatabaseUrl, { replaceNewerSql, applicationRole: env.applicationRole });
  createLog(env, "migrate").info("the database is up to date");
} catch (error) {
  if (!(error instanceof DatabaseRefused)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exitCode = 1;
}
