import type { Queryable } from "#db/client.ts";
import { readWallets } from "#db/ledger/read-wallet.ts";
import { notFound } from "#src/base/refusal.ts";
import { findMetrics, noMetrics } from "./find-metrics.ts";
import { presentWallet } from "./present-wallet.ts";
import type { WalletView } from "./schemas.ts";

/**
 * Finds a user's wallet with its metrics.
 * @throws Refusal 404 for an unknown user and for a user without a wallet.
 */
export async function findWalletView(db: Queryable, userId: number): Promise<WalletView> {
  const wallet = (await findWalletViews(db, [userId])).get(userId);
  if (wallet === undefined) throw notFound();
  return wallet;
}

/** Finds the wallets of several users in two queries, by user id. Users without a wallet are not in the map. */
export async function findWalletViews(
  db: Queryable,
  userIds: readonly number[],
): Promise<Map<number, WalletView>> {
  if (userIds.length === 0) return new Map();
  const [wallets, metrics] = await Promise.all([readWallets(db, userIds), findMetrics(db, userIds)]);
  return new Map(
    wallets.map((wallet) => [wallet.userId, presentWallet(wallet, metrics.get(wallet.userId) ?? noMetrics)]),
  );
}
