import { SQL } from "bun";
import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";

/** The connections that a process opens at most. */
export const POOL_SIZE_MAX = 10;
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_S = 0;

export type Database = BunSQLDatabase;
/** The type of a running transaction. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** A transaction, or the database where a single statement is enough. */
export type Queryable = Database | Transaction;

/** An open pool of connections; `close` waits for running statements. */
export type DatabasePool = { db: Database; sql: SQL; close: () => Promise<void> };

/**
 * Opens a pool.
 * @param url `postgres://user:password@host:port/database`, or `postgres://user@localhost/database?host=/folder` for
 *   the unix socket in that folder.
 */
export function connect(url: string, { poolSize = POOL_SIZE_MAX }: { poolSize?: number } = {}): DatabasePool {
  const sql = new SQL({ ...connectionOptions(url), max: poolSize, idleTimeout: IDLE_TIMEOUT_S });
  const db = drizzle({ client: sql, casing: "snake_case" });
  return { db, sql, close: () => sql.close({ timeout: 5 }) };
}

/** Runs `work` in one READ COMMITTED transaction. Commits if it returns, rolls back if it throws. */
export function inTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(work);
}

function connectionOptions(url: string): Bun.SQL.Options {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get("host");
  const connection = { statement_timeout: STATEMENT_TIMEOUT_MS };
  if (folder === null) return { adapter: "postgres", url, connection };
  return {
    adapter: "postgres",
    path: `${folder}/.s.PGSQL.${parsed.port || "5432"}`,
    username: decodeURIComponent(parsed.username),
    database: parsed.pathname.slice(1),
    connection,
  };
}
