import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";

/** Rows of a statement, so that none is long and locks are held briefly. */
const BATCH_SIZE = 1_000;

/**
 * A moment in the past by the database's clock, in SQL. It is a subquery, because an index cannot be searched for a function whose
 * value changes while the statement runs: the statement would read the whole index.
 */
export const ago = (count: number, unit: "days" | "hours" | "mins" | "secs"): SQL =>
  sql`(SELECT clock_timestamp() - make_interval(${sql.raw(unit)} => ${count}))`;

/** Which rows to delete. `batchSize`: rows of a statement. */
type OldRows = { table: PgTable; old: SQL; batchSize?: number };

/** Deletes the rows of a table that meet a condition, in batches. The condition needs an index. */
export function deleteOldRows(db: Queryable, { table, old, batchSize = BATCH_SIZE }: OldRows): Promise<void> {
  return deleteInBatches(db, {
    table,
    batchSize,
    rows: sql`SELECT ctid FROM ${table} WHERE ${old} LIMIT ${batchSize}`,
  });
}

/**
 * Deletes the oldest rows of a table, in batches, until one of them does not meet the condition. It needs no index but the primary
 * key: rows that are deleted were written before the others, so their ids are lower. The condition names columns without a table.
 */
export function deleteOldestRows(
  db: Queryable,
  { table, old, batchSize = BATCH_SIZE }: OldRows,
): Promise<void> {
  return deleteInBatches(db, {
    table,
    batchSize,
    rows: sql`SELECT place FROM (SELECT ctid AS place, * FROM ${table} ORDER BY id LIMIT ${batchSize}) oldest WHERE ${old}`,
  });
}

/**
 * Rows are found by where they are stored, which works for every primary key. A row that is changed meanwhile is at another place,
 * so it stays.
 */
async function deleteInBatches(
  db: Queryable,
  { table, batchSize, rows }: { table: PgTable; batchSize: number; rows: SQL },
): Promise<void> {
  for (;;) {
    const deleted = await db.execute(sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows})) RETURNING 1`);
    if (deleted.length < batchSize) return;
  }
}
