import { sql } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { holdTransaction } from "./in-long-transaction.ts";
import { waitFor } from "./wait-for.ts";

/** A table that no query can read until it is released: at the latest with the end of the test that has it by `await using`. */
export type HeldTable = AsyncDisposable & {
  /** Waits until a query waits for the table. @returns the process ids of the connections that wait. */
  awaited: () => Promise<number[]>;
  release: () => Promise<void>;
};

/** Locks a table on a connection of its own: queries for it wait, like those of a slow database. */
export async function holdTable(databaseUrl: string, table: string): Promise<HeldTable> {
  const pool = connect(databaseUrl, { poolSize: 2 });
  const held = await holdTransaction(pool.db, (tx) =>
    tx.execute(sql`LOCK TABLE ${sql.identifier(table)} IN ACCESS EXCLUSIVE MODE`),
  );
  const release = async () => {
    await held.commit();
    await pool.close();
  };
  return {
    awaited: () =>
      waitFor(`a query that waits for ${table}`, async () => {
        const rows = await pool.sql<{ pid: number }[]>`
          SELECT pid FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass`;
        return rows.length > 0 && rows.map(({ pid }) => pid);
      }),
    release,
    [Symbol.asyncDispose]: release,
  };
}
