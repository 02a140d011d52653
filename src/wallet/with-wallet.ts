import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import type { Deps } from "#src/base/deps.ts";
import { type LockTimeout, withLock } from "#src/base/lock.ts";

type Whose = {
  userId: number;
  /** For a lock that somebody else holds; left out, it is given up after a while. */
  patience?: LockTimeout;
};

/**
 * Runs one change of a player's money, other than by calls: under the wallet's Redis lock and in one transaction.
 * @returns what the change answers.
 * @throws Refusal 409 when somebody else keeps changing this wallet; whatever the change throws.
 */
export function withWallet<Result>(
  deps: Pick<Deps, "pool" | "redis" | "log">,
  { userId, patience }: Whose,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const perform = (fence: number | null) =>
    inTransaction(deps.pool.db, async (tx) => {
      const result = await change(tx);
      // Afterwards, because the ledger takes its accounts in an order of its own; a stale lock undoes the change.
      if (fence !== null) await checkFence(tx, { kind: "wallet", id: userId, token: fence });
      return result;
    });
  return withLock(deps, `wallet:${userId}`, perform, patience);
}
