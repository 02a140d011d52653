import type { TransactionSQL } from "bun";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";
import * as v from "valibot";
import { connect, type Queryable } from "../client.ts";
import { queryValue, queryRows } from "../ledger/query.ts";
import { createSql, dropSql, runMigrations, runSqlFiles } from "../upgrade/apply-sql.ts";
import { DatabaseRefused } from "../upgrade/refusal.ts";
import { readRelease, type Release } from "../upgrade/release.ts";
import { readState } from "../upgrade/state.ts";
import { copyColumns, type DatabaseContents, quoted, refuseContents, type StoredTable } from "./contents.ts";

/** A part of the rows of a table, as COPY wrote them. The parts of a table follow each other. */
export type RowsPart = { table: string; bytes: Uint8Array };

/**
 * Fills an empty database with the rows of a backup and brings it to this release, in one transaction: an error leaves it empty.
 * Triggers are created after the rows, so nothing is booked twice; foreign keys too, which checks all of them.
 * @param url the owner of the tables.
 * @param backup what the database is to have, with the number of rows by table.
 * @throws DatabaseRefused if the database is not empty, or if the backup is of a newer release.
 */
export async function loadDatabase(
  url: string,
  { contents, rows }: { contents: DatabaseContents; rows: Readonly<Record<string, number>> },
  parts: AsyncIterable<RowsPart>,
): Promise<void> {
  const release = readRelease();
  refuseContents(contents, release);
  await using pool = connect(url, { poolSize: 1 });
  await refuseFilledDatabase(pool.db, release);
  await pool.sql.begin(async (tx) => {
    await tx`SET LOCAL statement_timeout = 0`;
    // It waits for the parts of the backup. Nobody uses the database yet.
    await tx`SET LOCAL idle_in_transaction_session_timeout = 0`;
    const db = drizzle({ client: tx, casing: "snake_case" });
    await refuseFilledDatabase(db, release);
    await createTables(db, contents, release);
    const foreignKeys = await dropForeignKeys(db);
    const bare = await queryRows(db, xidColumn)`${xidColumnsWithoutDefault}`;
    for (const column of bare) await db.execute(alterXid(column, "SET DEFAULT pg_current_xact_id()"));
    await copyRows(tx, contents.tables, parts);
    for (const column of bare) await db.execute(alterXid(column, "DROP DEFAULT"));
    for (const { name } of contents.tables) await requireCount(db, name, rows[name] ?? 0);
    for (const statement of foreignKeys) await tx.unsafe(statement);
    await setSequences(db, contents);
    await finish(db, contents, release);
  });
}

/** @throws DatabaseRefused if the database has tables. */
export async function refuseFilledDatabase(db: Queryable, release: Release = readRelease()): Promise<void> {
  const { isEmpty, refused } = await readState(db, release);
  if (isEmpty && refused === null) return;
  if (isEmpty && refused !== null) throw refused;
  throw new DatabaseRefused(
    "The database already has tables, and a backup is restored into an empty one only. Create an empty database and set " +
      "DATABASE_URL to it, or without DATABASE_URL set DATA_DIR to a folder that does not exist yet. Nothing was changed.",
  );
}

/** The tables as they were when the backup was made. What the migrations insert is removed: the backup has it. */
async function createTables(db: Queryable, contents: DatabaseContents, release: Release): Promise<void> {
  const applied = new Set(contents.migrations.map(({ createdAt }) => createdAt));
  await runSqlFiles(db, release.beforeTables);
  await runMigrations(
    db,
    release.migrations.filter(({ createdAt }) => applied.has(createdAt)),
  );
  const names = contents.tables.map(({ name }) => sql`public.${sql.identifier(name)}`);
  await db.execute(sql`TRUNCATE ${sql.join(names, sql`, `)}`);
}

const xidColumn = v.object({ table: v.string(), name: v.string() });

/** A backup has no ids of transactions: for this cluster, all of its rows are written by the transaction that restores it. */
function alterXid({ table, name }: v.InferOutput<typeof xidColumn>, change: string) {
  return sql.raw(`ALTER TABLE ${table} ALTER COLUMN ${quoted(name)} ${change}`);
}

const foreignKey = v.object({ table: v.string(), name: v.string(), definition: v.string() });

/** Drops the foreign keys, and returns the statements that create them again. */
async function dropForeignKeys(db: Queryable): Promise<string[]> {
  const keys = await queryRows(db, foreignKey)`${foreignKeys}`;
  for (const { table, name } of keys) {
    await db.execute(sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`));
  }
  return keys.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
  );
}

/** Copies the parts into their tables, one table after the other. */
async function copyRows(
  tx: TransactionSQL,
  tables: readonly StoredTable[],
  parts: AsyncIterable<RowsPart>,
): Promise<void> {
  let writer: WritableStreamDefaultWriter | null = null;
  let written = "";
  for await (const { table, bytes } of parts) {
    if (writer === null || table !== written) {
      await writer?.close();
      writer = openTable(tx, tables, table);
      written = table;
    }
    await writer.write(bytes);
  }
  await writer?.close();
}

function openTable(
  tx: TransactionSQL,
  tables: readonly StoredTable[],
  name: string,
): WritableStreamDefaultWriter {
  const table = tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`The backup has rows of an unknown table: ${name}`);
  return tx
    .unsafe(`COPY ${copyColumns(table)} FROM STDIN`)
    .writable()
    .getWriter();
}

/** @throws if a table has not as many rows as were written into the backup. */
async function requireCount(db: Queryable, table: string, expected: number): Promise<void> {
  const count = await queryValue(db, v.number())`
    SELECT count(*)::float8 FROM public.${sql.identifier(table)}`;
  if (count !== expected) throw new Error(`${table} has ${count} rows, and the backup says ${expected}`);
}

async function setSequences(db: Queryable, { sequences }: DatabaseContents): Promise<void> {
  for (const { name, last, called } of sequences) {
    await db.execute(sql`SELECT setval(${`public.${quoted(name)}`}::regclass, ${last}::bigint, ${called})`);
  }
}

/** Runs the migrations that the backup lacks, and creates the functions, triggers and views of this release. */
async function finish(db: Queryable, contents: DatabaseContents, release: Release): Promise<void> {
  await dropSql(db);
  for (const { number, hash, version } of contents.sqlSets) {
    await db.execute(
      sql`INSERT INTO upgrade.sql_sets (number, hash, version) VALUES (${number}, ${hash}, ${version})`,
    );
  }
  const applied = new Set(contents.migrations.map(({ createdAt }) => createdAt));
  await runMigrations(
    db,
    release.migrations.filter(({ createdAt }) => !applied.has(createdAt)),
  );
  await createSql(db, release);
}

const foreignKeys = sql`SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conrelid, conname`;

const xidColumnsWithoutDefault = sql`SELECT attrelid::regclass::text AS table, attname AS name
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND a.atttypid = 'xid8'::regtype AND NOT a.atthasdef`;
