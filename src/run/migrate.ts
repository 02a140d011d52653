import { type Migrated, migrate } from "#db/upgrade/migrate.ts";
import { REPLACE_NEWER_SQL } from "#db/upgrade/refusal.ts";
import { createLog } from "#src/base/log.ts";
import { readMigration } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

// bun run migrate: updates the database in the settings to this release's schema, functions and triggers. `bun run start`
// does the same. --replace-newer-sql deliberately replaces the functions and triggers of a newer release by those of this one.
await runCommand(async () => {
  const env = readMigration();
  const replaceNewerSql = process.argv.includes(REPLACE_NEWER_SQL);
  const log = createLog(env, "migrate");
  const onWait = () =>
    log.warn(
      "Other transactions hold the tables, such as that of a backup. The migration waits for up to a minute.",
    );
  const { applicationRole } = env;
  log.info(describe(await migrate(env.ownerDatabaseUrl, { replaceNewerSql, applicationRole, onWait })));
});

function describe({ found, migrations }: Migrated): string {
  if (found === "ahead")
    return "the database is of a later release, with which this one can work; nothing was changed";
  if (found === "current") return "the database is up to date; nothing was to be done";
  return `the database is up to date; migrations applied: ${migrations}; its functions, triggers and views were replaced`;
}
