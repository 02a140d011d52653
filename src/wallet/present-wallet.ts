import type { Wallet } from "#db/ledger/read-wallet.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { WalletView } from "./contract.ts";
import type { Metrics } from "./find-metrics.ts";

/** A wallet as its owner reads it. */
export function presentWallet(wallet: Wallet, metrics: Metrics): WalletView {
  return {
    id: wallet.accountId,
    balance: dollarsOf(wallet.postedCents),
    balanceCents: wallet.postedCents,
    availableBalance: dollarsOf(wallet.availableCents),
    availableBalanceCents: wallet.availableCents,
    held: dollarsOf(wallet.heldCents),
    heldCents: wallet.heldCents,
    owed: dollarsOf(wallet.owedCents),
    owedCents: wallet.owedCents,
    version: wallet.revision,
    metrics: presentMetrics(metrics, wallet.heldCents),
  };
}

function presentMetrics(metrics: Metrics, pendingCents: number): WalletView["metrics"] {
  const netCents = metrics.returnedCents - metrics.wageredCents;
  const decided = metrics.won + metrics.lost;
  return {
    wagered: dollarsOf(metrics.wageredCents),
    returned: dollarsOf(metrics.returnedCents),
    net: dollarsOf(netCents),
    roi: metrics.wageredCents === 0 ? null : netCents / metrics.wageredCents,
    pending: dollarsOf(pendingCents),
    callsPlaced: metrics.callsPlaced,
    won: metrics.won,
    lost: metrics.lost,
    refunded: metrics.refunded,
    winRate: decided === 0 ? null : metrics.won / decided,
    currentStreak: metrics.currentStreak,
    bestStreak: metrics.bestStreak,
  };
}
