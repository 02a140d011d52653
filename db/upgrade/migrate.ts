import { sql } from "drizzle-orm";
import * as v from "valibot";
import { connect, inTransaction, type Queryable, type Transaction } from "../client.ts";
import { queryColumn, queryRow, queryRows, queryValue } from "../ledger/query.ts";
import { readWhenChanged } from "../read-when-changed.ts";
import { functionGrants, readSchemas, tableGrants } from "../roles/grants.ts";
import { createSql, dropSql, runMigrations, runSqlFiles } from "./apply-sql.ts";
import { DatabaseRefused, tablesInUse } from "./refusal.ts";
import { readRelease, type Release } from "./release.ts";
import { type DatabaseState, readState } from "./state.ts";

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

// Decision: a migration takes all tables at once or none, and gives up before Postgres would look for a deadlock (after a second). So no
// request of a release that still runs is ended for it: such requests wait for the migration, or it for them.

/** Shorter than deadlock_timeout. */
const TAKEN_WITHIN_MS = 500;

const cancelled = v.object({ cause: v.object({ errno: v.literal("57014") }) });

const tablesQuery = sql`SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relkind, c.relname) AS tables
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const signature = v.object({ name: v.string(), text: v.string() });
const database = v.object({ name: v.string(), isOwner: v.boolean() });

/** What an extension made is none of ours. */
const notOfExtension = (table: string, oid: string) =>
  sql.raw(`NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = '${table}'::regclass AND d.objid = ${oid}
    AND d.deptype = 'e')`);

/** Tables and views. */
const ownRelations = sql`SELECT quote_ident(c.relname) AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v')
    AND ${notOfExtension("pg_class", "c.oid")} ORDER BY 1`;

const ownFunctions = sql`SELECT p.proname AS name, p.oid::regprocedure::text AS text FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND ${notOfExtension("pg_proc", "p.oid")} ORDER BY 2`;

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
  await using pool = connect(url, { poolSize: 1 });
  // Building an index over many rows can take longer than the statement timeout of requests.
  await pool.sql`SET statement_timeout = 0`;
  const work = () =>
    inTransaction(pool.db, async (tx) => {
      const migrated = await upgrade(tx, { release, replaceNewerSql });
      if (migrated.found !== "ahead" && applicationRole !== null) await applyGrants(tx, applicationRole);
      return migrated;
    });
  return await retryInUse(work, onWait);
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

/** Requests hold tables, and the migration has released those that it had. */
class TablesInUse extends Error {
  override readonly name = "TablesInUse";
}

/**
 * Takes all tables and views for the rest of the transaction, so that it waits for nothing more.
 * @throws TablesInUse after half a second. Then end the transaction, and try again in another one.
 */
async function lockTables(tx: Transaction): Promise<void> {
  const tables = await queryValue(tx, v.nullable(v.string()))`${tablesQuery}`;
  if (tables === null) return;
  // Requests do not conflict with this one. It ends an autovacuum, which gives way to those who have waited for a second.
  await tx.execute(sql.raw(`LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`));
  await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${TAKEN_WITHIN_MS}`));
  try {
    await tx.execute(sql.raw(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`));
  } catch (error) {
    if (v.is(cancelled, error)) throw new TablesInUse("The tables are in use", { cause: error });
    throw error;
  }
  await tx.execute(sql`SET LOCAL statement_timeout = 0`);
}

/**
 * Gives the application's role exactly the rights of grants.ts, and takes every other one away. Call it in a transaction, as the
 * owner of the tables, after the tables and functions are there. Repeating it changes nothing.
 * @throws DatabaseRefused if there is no such role.
 */
async function applyGrants(tx: Queryable, role: string): Promise<void> {
  const exists = await queryValue(tx, v.boolean())`
    SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${role})`;
  if (!exists) throw missingRole(role);
  const relations = await queryColumn(tx, v.string())`${ownRelations}`;
  const functions = await queryRows(tx, signature)`${ownFunctions}`;
  const to = quoted(role);
  const schemas = ["public", ...readSchemas].join(", ");
  const statements = [
    // Only what the role may do counts, not what everybody may.
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    ...relations.map((name) => `REVOKE ALL ON ${name} FROM PUBLIC, ${to}`),
    ...functions.map(({ text }) => `REVOKE ALL ON FUNCTION ${text} FROM PUBLIC, ${to}`),
    `REVOKE ALL ON SCHEMA ${schemas} FROM ${to}`,
    `GRANT USAGE ON SCHEMA ${schemas} TO ${to}`,
    ...readSchemas.map((schema) => `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${to}`),
    ...relations.flatMap((name) => grantsOf(name, to)),
    ...functions
      .filter(({ name }) => functionGrants.includes(name))
      .map(({ text }) => `GRANT EXECUTE ON FUNCTION ${text} TO ${to}`),
  ];
  await tx.execute(sql.raw(statements.join(";\n")));
  await closeDatabase(tx);
}

/** Nobody creates schemas or temporary tables. An owner of the tables who does not own the database cannot say so. */
async function closeDatabase(tx: Queryable): Promise<void> {
  const { name, isOwner } = await queryRow(tx, database)`
    SELECT quote_ident(datname) AS name, pg_has_role(current_user, datdba, 'USAGE') AS "isOwner"
    FROM pg_database WHERE datname = current_database()`;
  if (isOwner) await tx.execute(sql.raw(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`));
}

function grantsOf(name: string, to: string): string[] {
  const privileges = tableGrants[name] ?? [];
  return privileges.length === 0 ? [] : [`GRANT ${privileges.join(", ")} ON ${name} TO ${to}`];
}

function missingRole(role: string): DatabaseRefused {
  return new DatabaseRefused(
    `The role "${role}" of DATABASE_URL does not exist. Create it as the owner of the database, with the password of ` +
      `DATABASE_URL: CREATE ROLE ${quoted(role)} LOGIN PASSWORD '...'. Or leave out MIGRATE_DATABASE_URL. Nothing was changed.`,
  );
}
