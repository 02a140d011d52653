import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/locks.ts";
import type { Deps } from "#src/base/deps.ts";
import { type LockTimeout, withLock } from "#src/base/lock.ts";

type WalletLock = {
  userId: number;
  /** How long to wait for a busy lock, and what to do then; by default refuse. */
  lockTimeout?: LockTimeout;
};

/**
 * Runs one change of a player's money in one transaction, under the wallet's Redis lock. Calls do not use it: they are
 * placed and settled under the ledger's own locks.
 * @param change does the work in the transaction.
 * @returns what `change` returns.
 * @throws Refusal 409 when the lock stays busy or expired during the change; whatever `change` throws.
 */
export function withWallet<Result>(
  deps: Pick<Deps, "pool" | "redis" | "log">,
  { userId, lockTimeout }: WalletLock,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const perform = (fence: number | null) =>
    inTransaction(deps.pool.db, async (tx) => {
      const result = await change(tx);
      // The fence comes after the change because the ledger locks accounts in its own order. A stale lock rolls back.
      if (fence !== null) await checkFence(tx, { kind: "wallet", id: userId, token: fence });
      return result;
    });
  return withLock(deps, `wallet:${userId}`, perform, lockTimeout);
}
