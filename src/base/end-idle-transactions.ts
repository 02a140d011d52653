import { describeIdle, findIdleTransactions } from "#db/idle-transactions.ts";
import type { Deps } from "./deps.ts";
import { transactionsEnded } from "./instruments.ts";

/** Ends the transactions of web processes and workers that idle with locks for longer than the server's own limit. */
export async function endIdleTransactions({ pool, log }: Pick<Deps, "pool" | "log">): Promise<void> {
  for (const idle of await findIdleTransactions(pool.db, { end: true })) {
    if (!idle.ended) continue;
    transactionsEnded.inc();
    log.error(`${describeIdle(idle)}. It is ended: Postgres has no limit for it, see deploy/postgres.md`);
  }
}
