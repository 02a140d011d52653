import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryColumn, queryRows, queryValue } from "../ledger/query.ts";
import { DatabaseRefused } from "../upgrade/refusal.ts";
import { readRelease, type Release } from "../upgrade/release.ts";
import { compareSql } from "../upgrade/state.ts";

const migration = v.object({ createdAt: v.number(), hash: v.string() });
const sqlSet = v.object({ number: v.number(), hash: v.string(), version: v.string() });
const table = v.object({ name: v.string(), columns: v.pipe(v.array(v.string()), v.minLength(1)) });
const sequence = v.object({
  name: v.string(),
  last: v.pipe(v.string(), v.regex(/^\d+$/)),
  called: v.boolean(),
});

/** What a backup says about its database. */
export const contentsSchema = v.object({
  postgres: v.number(),
  migrations: v.array(migration),
  sqlSets: v.array(sqlSet),
  tables: v.array(table),
  sequences: v.array(sequence),
});
export type DatabaseContents = v.InferOutput<typeof contentsSchema>;
/** A table, and the columns whose values a backup has. */
export type StoredTable = v.InferOutput<typeof table>;

/**
 * Reads what a backup of this database has. Sequences are outside of snapshots: call it in the snapshot whose rows are copied,
 * and their numbers are at least those of its rows.
 */
export async function readContents(db: Queryable): Promise<DatabaseContents> {
  const names = await queryColumn(db, v.string())`${sequenceNames}`;
  return {
    postgres: await queryValue(db, v.number())`${serverVersion}`,
    migrations: await queryRows(db, migration)`${appliedMigrations}`,
    sqlSets: await queryRows(db, sqlSet)`${appliedSets}`,
    tables: await queryRows(db, table)`${storedTables}`,
    sequences: names.length === 0 ? [] : await queryRows(db, sequence)`${positionsOf(names)}`,
  };
}

function positionsOf(names: readonly string[]) {
  const each = names.map(
    (name) =>
      sql`SELECT ${name}::text AS name, last_value::text AS last, is_called AS called FROM ${sql.identifier(name)}`,
  );
  return sql.join(each, sql` UNION ALL `);
}

const serverVersion = sql`SELECT current_setting('server_version_num')::int / 10000 AS postgres`;
const appliedMigrations = sql`SELECT hash, created_at::float8 AS "createdAt" FROM drizzle.__drizzle_migrations ORDER BY id`;
const appliedSets = sql`SELECT number, hash, version FROM upgrade.sql_sets ORDER BY number`;

// Left out: generated columns, and the ids of transactions, which mean nothing in another cluster.
const storedTables = sql`SELECT c.relname AS name, (
    SELECT jsonb_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
  ) AS columns
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`;
const sequenceNames = sql`SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S' ORDER BY c.relname`;

/** The table and its columns, as COPY takes them: `public."calls" ("id", "state")`. */
export function copyColumns({ name, columns }: StoredTable): string {
  return `public.${quoted(name)} (${columns.map(quoted).join(", ")})`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Refuses a backup that this release cannot use.
 * @throws DatabaseRefused if it is of a newer release, or of another program.
 */
export function refuseContents(contents: DatabaseContents, release: Release = readRelease()): void {
  const own = new Map(release.migrations.map(({ createdAt, hash }) => [createdAt, hash]));
  const [baseline] = release.migrations;
  if (!contents.migrations.some(({ createdAt }) => createdAt === baseline?.createdAt)) {
    throw new DatabaseRefused(
      "The backup is of a release from before the baseline, or of another program. Nothing was written.",
    );
  }
  const unknown = contents.migrations.filter(({ createdAt, hash }) => own.get(createdAt) !== hash);
  if (unknown.length === 0 && compareSql(release, contents.sqlSets) !== "newer") return;
  const version = contents.sqlSets.at(-1)?.version ?? "unknown";
  throw new DatabaseRefused(
    `The backup is of a newer release than this one (its version is ${version}). Restore it with that release. ` +
      "Nothing was written.",
  );
}
