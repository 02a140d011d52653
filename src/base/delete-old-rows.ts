import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";

// Decision: no table is partitioned. Old rows are found by an index and deleted in batches, so a table of any size is never read as
// a whole, and autovacuum gives the space to new rows.

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

// Rows are found by where they are stored (ctid), which works for every primary key. A row that is changed meanwhile is at another
// place, so it stays.

/** Deletes the rows of a table that meet a condition, in batches. The condition needs an index. */
export async function deleteOldRows(
  db: Queryable,
  { table, old, batchSize = BATCH_SIZE }: OldRows,
): Promise<void> {
  const rows = sql`SELECT ctid FROM ${table} WHERE ${old} LIMIT ${batchSize}`;
  for (;;) {
    const deleted = await db.execute(sql`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows})) RETURNING 1`);
    if (deleted.length < batchSize) return;
  }
}

const batch = v.object({ read: v.number(), deleted: v.number(), last: v.nullable(v.string()) });

/**
 * Deletes the oldest rows of a table that meet a condition, in batches in the order of their ids, until none of a batch does. It
 * needs no index but the primary key: rows that are deleted were written before the others, so their ids are lower. Some that must stay
 * may be among them, such as a fact that cannot be broadcast. The condition names columns without a table.
 */
export async function deleteOldestRows(
  db: Queryable,
  { table, old, batchSize = BATCH_SIZE }: OldRows,
): Promise<void> {
  let after = "0";
  for (;;) {
    const { read, deleted, last } = await queryRow(db, batch)`WITH oldest AS MATERIALIZED (
        SELECT ctid AS place, * FROM ${table} WHERE id > ${after}::bigint ORDER BY id LIMIT ${batchSize}
      ), gone AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM oldest WHERE ${old})) RETURNING 1
      ) SELECT count(*)::int AS read, (SELECT count(*)::int FROM gone) AS deleted, max(id)::text AS last FROM oldest`;
    if (deleted === 0 || read < batchSize || last === null) return;
    after = last;
  }
}
