import { describeIdle, endWaitingStatements, findIdleTransactions } from "#db/idle-transactions.ts";
import type { Deps } from "./deps.ts";
import { transactionsEnded } from "./instruments.ts";

/**
 * Ends the transactions of web processes and workers that idle with locks for longer than the server's own limit, and before that
 * what the same processes have waiting for locks.
 */
export async function endIdleTransactions({ pool, log }: Pick<Deps, "pool" | "log">): Promise<void> {
  const lost = (await findIdleTransactions(pool.db)).filter(({ isLost }) => isLost);
  // What waits is ended first: it would get the lock of a transaction that is ended before it.
  for (const idle of lost) await endWaitingStatements(pool.db, idle);
  if (lost.length === 0) return;
  for (const idle of await findIdleTransactions(pool.db, { end: true })) {
    if (!idle.ended) continue;
    transactionsEnded.inc();
    log.error(`${describeIdle(idle)}. It is ended: Postgres has no limit for it, see deploy/postgres.md`);
  }
}
