import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryColumn } from "../ledger/query.ts";
import { hashSql, type Migration, type Release, type SqlFile } from "./release.ts";

/** Drops only what the previously applied set created: triggers, then views, then functions. Call it in a transaction. */
export async function dropSql(tx: Queryable): Promise<void> {
  await tx.execute(sql`CREATE SCHEMA IF NOT EXISTS upgrade`);
  // One row per set of functions, triggers and views that this database has had. The highest number is in force.
  await tx.execute(sql`CREATE TABLE IF NOT EXISTS upgrade.sql_sets (
    number int PRIMARY KEY, hash text NOT NULL UNIQUE, version text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  await tx.execute(sql`ALTER TABLE upgrade.sql_sets ADD COLUMN IF NOT EXISTS compatible_since text`);
  // The objects of that set, each with the statement that drops it, in the order to drop them.
  await tx.execute(sql`CREATE TABLE IF NOT EXISTS upgrade.sql_objects (
    position int PRIMARY KEY, drop_statement text NOT NULL)`);
  const drops = await queryColumn(tx, v.string())`
    SELECT drop_statement FROM upgrade.sql_objects ORDER BY position`;
  for (const statement of drops) await tx.execute(sql.raw(statement));
  await tx.execute(sql`DELETE FROM upgrade.sql_objects`);
}

/** Runs files of db/sql one after the other. @throws with the name of the file that fails. */
export async function runSqlFiles(tx: Queryable, files: readonly SqlFile[]): Promise<void> {
  for (const { name, text } of files) {
    try {
      await tx.execute(sql.raw(text));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`db/sql/${name} could not be applied: ${reason}`, { cause: error });
    }
  }
}

/**
 * Creates the functions, triggers and views of a release and stores a list of them. Call dropSql before.
 *
 * Every function in PL/pgSQL runs as the owner of the tables (SECURITY DEFINER), also as a trigger. So a role that may only call
 * functions of the ledger, and write no table of it, can place a call; roles/grants.ts says which functions it may call.
 */
export async function createSql(tx: Queryable, release: Release): Promise<void> {
  await tx.execute(
    sql`CREATE TEMPORARY TABLE before_sql ON COMMIT DROP AS SELECT class, oid FROM (${objects}) o`,
  );
  await runSqlFiles(tx, release.afterTables);
  for (const name of await queryColumn(tx, v.string())`${newFunctions}`)
    await tx.execute(sql.raw(`ALTER FUNCTION ${name} SECURITY DEFINER SET search_path = public, pg_temp`));
  await tx.execute(sql`INSERT INTO upgrade.sql_objects (position, drop_statement)
    SELECT row_number() OVER (ORDER BY o.step, o.oid DESC), o.drop_statement
    FROM (${objects}) o WHERE NOT EXISTS (SELECT 1 FROM before_sql b WHERE b.class = o.class AND b.oid = o.oid)`);
  await tx.execute(sql`DROP TABLE before_sql`);
  await storeSet(tx, release);
}

/** Stores a set as the newest. If it was applied before, the sets after it are deleted and count as unknown again. */
async function storeSet(tx: Queryable, release: Release): Promise<void> {
  const hash = hashSql(release);
  await tx.execute(sql`DELETE FROM upgrade.sql_sets
    WHERE number > (SELECT s.number FROM upgrade.sql_sets s WHERE s.hash = ${hash})`);
  await tx.execute(sql`INSERT INTO upgrade.sql_sets (number, hash, version, compatible_since)
    SELECT coalesce(max(number), 0) + 1, ${hash}, ${release.version}, ${release.compatibleSince} FROM upgrade.sql_sets
    ON CONFLICT (hash) DO UPDATE SET version = excluded.version, compatible_since = excluded.compatible_since`);
}

/** Every function, trigger and view of the schema, with the statement that drops it. */
const objects = sql`
  SELECT 'trigger' AS class, 1 AS step, t.oid,
    format('DROP TRIGGER IF EXISTS %I ON %s', t.tgname, t.tgrelid::regclass) AS drop_statement
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'view', 2, c.oid, format('DROP VIEW IF EXISTS %s', c.oid::regclass)
  FROM pg_class c WHERE c.relkind = 'v' AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function', 3, p.oid, format('DROP FUNCTION IF EXISTS %s', p.oid::regprocedure)
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`;

/** The functions that this set has created in PL/pgSQL. Those in SQL are parts of the statements that call them. */
const newFunctions = sql`SELECT p.oid::regprocedure::text AS name
  FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.pronamespace = 'public'::regnamespace AND l.lanname = 'plpgsql'
    AND NOT EXISTS (SELECT 1 FROM before_sql b WHERE b.class = 'function' AND b.oid = p.oid)
  ORDER BY p.oid`;

/** Runs migrations and records them in drizzle-orm's table. Its own migrator cannot run in a given transaction. */
export async function runMigrations(db: Queryable, migrations: readonly Migration[]): Promise<void> {
  await db.execute(sql`CREATE SCHEMA IF NOT EXISTS drizzle`);
  await db.execute(sql`CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (
    id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`);
  for (const { hash, createdAt, statements } of migrations) {
    for (const statement of statements) await db.execute(sql.raw(statement));
    await db.execute(
      sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${hash}, ${createdAt})`,
    );
  }
}
