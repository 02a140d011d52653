import type { TransactionSQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import { connect, type Queryable } from "../client.ts";
import { copyColumns, type StoredTable } from "./contents.ts";

/** One state of a database. It stays the same while the database is in use. */
export type Snapshot = {
  db: Queryable;
  /** The rows of a table as COPY writes them: text, one line a row. */
  copyTable: (table: StoredTable) => ReadableStream<Uint8Array>;
};

/** Runs `work` in a snapshot of a database, in one read-only REPEATABLE READ transaction. Nothing waits for it. */
export async function inSnapshot<Result>(
  url: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  await using pool = connect(url, { poolSize: 1 });
  return await pool.sql.begin(async (tx) => {
    await tx`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`;
    await tx`SET LOCAL statement_timeout = 0`;
    // What reads the snapshot may be slow: it compresses, and writes to a disk or a bucket.
    await tx`SET LOCAL idle_in_transaction_session_timeout = 0`;
    await tx`SET LOCAL tcp_user_timeout = 0`;
    return work(snapshotOf(tx));
  });
}

function snapshotOf(tx: TransactionSQL): Snapshot {
  return {
    db: drizzle({ client: tx, casing: "snake_case" }),
    copyTable: (table) => tx.unsafe(`COPY ${copyColumns(table)} TO STDOUT`).readable(),
  };
}
