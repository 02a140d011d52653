import { describeIdle, endWaitingStatements, findIdleTransactions } from "#db/idle-transactions.ts";
import type { Deps } from "./deps.ts";
import { transactionsEnded } from "./instruments.ts";

/**
 * Ends the transactions of web processes and workers that idle with locks for longer than the server's own limit, and, somewhat earlier,
 * what the same processes have waiting for locks.
 */
export async function endIdleTransactions({ pool, log }: Pick<Deps, "pool" | "log">): Promise<void> {
  for (const idle of await findIdleTransactions(pool.db, { end: true })) {
    if (idle.isLost && !idle.ended) await endWaitingStatements(pool.db, idle);
    if (!idle.ended) continue;
    transactionsEnded.inc();
    log.error(`${describeIdle(idle)}. It is ended: Postgres has no limit for it, see deploy/postgres.md`);
  }
}
