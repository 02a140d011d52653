import { sql } from "drizzle-orm";
import { connect, inTransaction, type Queryable, type Transaction } from "./client.ts";
import { readWhenChanged } from "./read-when-changed.ts";
import { applyGrants } from "./roles/apply-grants.ts";
import { createSql, dropSql, runSqlFiles } from "./upgrade/apply-sql.ts";
import { lockTables, TablesInUse } from "./upgrade/lock-tables.ts";
import { tablesInUse } from "./upgrade/refusal.ts";
import { readRelease, type Release } from "./upgrade/release.ts";
import { runMigrations } from "./upgrade/run-migrations.ts";
import { type DatabaseState, readState } from "./upgrade/state.ts";

/** The key of an advisory lock. Any number, as long as every process uses the same. */
const MIGRATION_LOCK = 4_815_162_342;
/** How often it waits half a second and a pause: about a minute. */
const ATTEMPTS_MAX = 60;
/** Requests that waited for tables go on meanwhile. */
const PAUSE_MS = 500;

export type MigrateOptions = {
  /** True to go back deliberately: functions and triggers of a newer release are replaced by this release's. */
  replaceNewerSql?: boolean;
  /** The release to apply; by default that of this program's files. Tests pass others. */
  release?: Release;
  /** The role of the application, which gets its rights (roles/grants.ts). None: the owner of the tables serves too. */
  applicationRole?: string | null;
  /** Is called once if other transactions hold the tables, and the migration waits for them. */
  onWait?: () => void;
};

/** What a migration has found and done. "ahead": a later release has upgraded the database, and nothing was changed. */
export type Migrated = { found: "ahead" | "current" | "pending"; migrations: number };

/**
 * Brings a database to the schema, functions, triggers and views of this release, in one transaction: readers see all of it
 * or nothing. Processes that start at the same time wait for each other. Requests wait for it, and none is ended for it. In a database that is up to date only the rights of
 * the application's role are given again. A database that a later, compatible release has upgraded stays as it is.
 * @param url as for `connect`; its role owns the tables, or will.
 * @throws DatabaseRefused if the database is older than the baseline or newer than this release, or its tables are in use for a
 *   minute; then nothing changed.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Migrated> {
  const { replaceNewerSql = false, release = readRelease(), applicationRole = null, onWait } = options;
  const pool = connect(url, { poolSize: 1 });
  try {
    // Building an index over many rows can take longer than the statement timeout of requests.
    await pool.sql`SET statement_timeout = 0`;
    const work = () =>
      inTransaction(pool.db, async (tx) => {
        const migrated = await upgrade(tx, { release, replaceNewerSql });
        if (migrated.found !== "ahead" && applicationRole !== null) await applyGrants(tx, applicationRole);
        return migrated;
      });
    return await retryInUse(work, onWait);
  } finally {
    await pool.close();
  }
}

/** Compares a database with this release. Changes nothing. */
export function readDatabaseState(db: Queryable): Promise<DatabaseState> {
  ownRelease ??= readRelease();
  return readState(db, ownRelease);
}

/** The same, for who asks again and again: it is compared once, and again after a migration or a set of functions was applied. */
export const followDatabaseState = readWhenChanged(
  sql`SELECT (SELECT count(*) FROM drizzle.__drizzle_migrations) || ' ' || (SELECT max(number) FROM upgrade.sql_sets) AS mark`,
  readDatabaseState,
);

/** Read once per process: it stays the same when the files change while the process runs. */
let ownRelease: Release | undefined;

async function upgrade(
  tx: Transaction,
  { release, replaceNewerSql }: { release: Release; replaceNewerSql: boolean },
): Promise<Migrated> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`);
  const state = await readState(tx, release, { replaceNewerSql });
  if (state.refused !== null) throw state.refused;
  if (state.isAhead) return { found: "ahead", migrations: 0 };
  if (state.pendingMigrations.length === 0 && state.sql === "current")
    return { found: "current", migrations: 0 };
  await lockTables(tx);
  await runSqlFiles(tx, release.beforeTables);
  // Migrations run while no view and no trigger depends on the tables.
  await dropSql(tx);
  await runMigrations(tx, state.pendingMigrations);
  await createSql(tx, release);
  return { found: "pending", migrations: state.pendingMigrations.length };
}

/** Tries again while requests hold the tables. @throws DatabaseRefused if they do so for about a minute. */
async function retryInUse<Result>(
  work: () => Promise<Result>,
  onWait: (() => void) | undefined,
  attempt = 1,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TablesInUse)) throw error;
    if (attempt === 1) onWait?.();
    if (attempt === ATTEMPTS_MAX) throw tablesInUse();
    await Bun.sleep(PAUSE_MS);
    return retryInUse(work, onWait, attempt + 1);
  }
}
