import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/bun-sql/migrator";
import * as v from "valibot";
import { connect, type Queryable } from "./client.ts";

const migrationsFolder = path.join(import.meta.dir, "migrations");
/** Any number of ours will do, as long as every process takes the same. */
const MIGRATION_LOCK = 4_815_162_342;

const journal = v.object({ entries: v.array(v.object({ tag: v.string(), when: v.number() })) });
const newestApplied = v.tuple([v.object({ newest: v.nullable(v.string()) })]);

/**
 * Brings a database to the newest schema: all that is missing, in one transaction. Processes that start at the same moment
 * wait for each other.
 * @param url in the forms that `connect` takes.
 */
export async function migrate(url: string): Promise<void> {
  const pool = connect(url, { poolSize: 1 });
  try {
    // Building an index over many rows may take longer than any request is allowed to.
    await pool.sql`SET statement_timeout = 0`;
    await pool.sql`SELECT pg_advisory_lock(${MIGRATION_LOCK}::bigint)`;
    await applyMigrations(pool.db, { migrationsFolder });
    await pool.sql`SELECT pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`;
  } finally {
    await pool.close();
  }
}

/** The names of the migrations that this database still lacks; it is not ready before there are none. */
export async function listPendingMigrations(db: Queryable): Promise<string[]> {
  const { entries } = v.parse(
    journal,
    JSON.parse(readFileSync(path.join(migrationsFolder, "meta/_journal.json"), "utf8")),
  );
  const [table] = await db.execute(
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS found`,
  );
  if (table?.["found"] !== true) return entries.map((entry) => entry.tag);
  const rows = await db.execute(
    sql`SELECT max(created_at)::text AS newest FROM drizzle.__drizzle_migrations`,
  );
  const [{ newest }] = v.parse(newestApplied, [...rows]);
  return entries.filter((entry) => entry.when > Number(newest ?? 0)).map((entry) => entry.tag);
}
