import { and, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { readWallets, type Wallet } from "#db/ledger/read-wallet.ts";
import { scores } from "#db/schema/scores.ts";
import { notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { walletMetrics, walletSchema, type WalletView } from "./schemas.ts";

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

/** Whose it is does not appear. */
type OwnWallet = Omit<Wallet, "userId">;

/**
 * A wallet as the API returns it. `version` is the account's `revision`, which increases with every entry and every hold,
 * so clients can tell the newer of two wallets. The account's own `version` counts its ledger entries without gaps.
 */
export function presentWallet(wallet: OwnWallet, metrics: Metrics): WalletView {
  return present(walletSchema, {
    ...wallet,
    id: wallet.accountId,
    balanceCents: wallet.postedCents,
    availableBalanceCents: wallet.availableCents,
    version: wallet.revision,
    metrics: presentMetrics(metrics, wallet),
  });
}

function presentMetrics(metrics: Metrics, { heldCents, heldCalls }: OwnWallet): WalletView["metrics"] {
  const netCents = metrics.returnedCents - metrics.wageredCents;
  const resolved = metrics.wins + metrics.losses;
  return present(walletMetrics, {
    ...metrics,
    netCents,
    roi: metrics.wageredCents === 0 ? null : netCents / metrics.wageredCents,
    pendingCents: heldCents,
    callsPlaced: metrics.callsCount + heldCalls,
    won: metrics.wins,
    lost: metrics.losses,
    winRate: resolved === 0 ? null : metrics.wins / resolved,
  });
}

/** A player's record over all sessions, without results: sums in cents, counts of resolved events. */
const noMetrics = {
  wageredCents: 0,
  returnedCents: 0,
  callsCount: 0,
  wins: 0,
  losses: 0,
  refunded: 0,
  currentStreak: 0,
  bestStreak: 0,
};
type Metrics = typeof noMetrics;

/** Finds the metrics of several players in one query, by user id. Players without results are not in the map. */
async function findMetrics(db: Queryable, userIds: readonly number[]): Promise<Map<number, Metrics>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(scores)
    .where(and(isNull(scores.sessionId), anyOf(scores.userId, userIds)));
  return new Map(rows.map((row) => [row.userId, row]));
}
