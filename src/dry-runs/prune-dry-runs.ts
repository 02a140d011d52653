import { inArray, sql } from "drizzle-orm";
import { dropDatabase, listDatabases } from "#db/create-database.ts";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { DRY_RUN_KEPT_DAYS } from "./contract.ts";
import { databasePrefix, dryRunOf } from "./dry-run-database.ts";

/** Deletes old dry runs, and the databases of those whose worker died before it could drop them. */
export async function pruneDryRuns({ env, pool }: Pick<Deps, "env" | "pool">): Promise<void> {
  await pool.db.execute(
    sql`DELETE FROM dry_runs WHERE created_at < clock_timestamp() - make_interval(days => ${DRY_RUN_KEPT_DAYS})`,
  );
  const url = env.directDatabaseUrl;
  const databases = await listDatabases(url, databasePrefix(url));
  if (databases.length === 0) return;
  // Read after the databases: a dry run that has begun in between is among them.
  const unfinished = await pool.db
    .select({ id: dryRuns.id })
    .from(dryRuns)
    .where(inArray(dryRuns.state, [...unfinishedDryRunStates]));
  for (const database of databases) {
    const id = dryRunOf(url, database);
    if (id !== null && unfinished.every((each) => each.id !== id)) await dropDatabase(url, database);
  }
}
