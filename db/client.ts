import { type BunSQLDatabase, drizzle } from "drizzle-orm/bun-sql";
import { connectionOptions, LIMIT_TRANSACTION, transactionStart } from "./connection-options.ts";
import { type PoolWatch, WatchedPool } from "./pool/watched-pool.ts";

export const POOL_SIZE_MAX = 10;
/** The connections that a web process or a worker opens at most: its own, and those of its relay, a thread with a pool of its own. */
export const PROCESS_CONNECTIONS_MAX = 2 * POOL_SIZE_MAX;
const IDLE_TIMEOUT_S = 0;

export type Database = BunSQLDatabase;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** A transaction, or the database where a single statement is enough. */
export type Queryable = Database | Transaction;

/** An open pool of connections. `await using` closes it. */
export type DatabasePool = { db: Database } & Pick<
  WatchedPool,
  "sql" | "isSilent" | "lastRefusal" | "writesAgain" | "counts" | "close"
>;

/**
 * Opens a pool.
 * @param url `postgres://user:password@host:port/database`, or `postgres://user@localhost/database?host=/folder` for
 *   the unix socket in that folder. Of several hosts the one that takes writes is used.
 * @param options how dead connections are found: see `PoolWatch`.
 */
export function connect(
  url: string,
  { poolSize = POOL_SIZE_MAX, ...watch }: { poolSize?: number } & PoolWatch = {},
): DatabasePool & AsyncDisposable {
  const servers = connectionOptions(url).map((options) => ({ ...options, idleTimeout: IDLE_TIMEOUT_S }));
  const pool = new WatchedPool(servers, { sizeMax: poolSize, startWith: transactionStart(url), ...watch });
  const { sql, isSilent, lastRefusal, writesAgain, counts, close } = pool;
  const db = drizzle({ client: sql, casing: "snake_case" });
  return { db, sql, isSilent, lastRefusal, writesAgain, counts, close, [Symbol.asyncDispose]: close };
}

/** Runs `work` in one READ COMMITTED transaction. Commits if it returns, rolls back if it throws. */
export function inTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(work);
}

/**
 * Runs `work` again and again, each time in a READ COMMITTED transaction of its own, all on one connection: its server process has
 * in its caches what they need. If one throws, that one is rolled back and the earlier ones stay.
 * @param goesOn is asked after each commit, with what `work` returned.
 * @returns the last result.
 */
export function inTransactions<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
  goesOn: (result: Result) => Promise<boolean>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    for (;;) {
      const result = await work(tx);
      // What a transaction has set ends with it.
      await tx.execute(`COMMIT AND CHAIN; ${LIMIT_TRANSACTION}`);
      if (!(await goesOn(result))) return result;
    }
  });
}
