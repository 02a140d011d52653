import { sql } from "drizzle-orm";
import { inTransaction, type Database, type Transaction } from "#db/client.ts";

/** A transaction that waits for what a test waits for, also on a busy machine, and may run for long: Postgres ends another one. */
export function inLongTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
    await tx.execute(sql`SET LOCAL statement_timeout = 0`);
    return work(tx);
  });
}

/** A transaction that has done this work, and stays open until it is told to commit. */
export async function holdTransaction<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<{ commit: () => Promise<Result> }> {
  const [done, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = inLongTransaction(db, async (tx) => {
    const result = await work(tx);
    done.resolve();
    await committing.promise;
    return result;
  });
  await Promise.race([done.promise, ended]);
  return { commit: () => (committing.resolve(), ended) };
}
