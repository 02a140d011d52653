import type { Wallet } from "#db/ledger/read-wallet.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { Metrics } from "./find-metrics.ts";
import type { WalletView } from "./schemas.ts";

/** Whose it is does not appear. */
type OwnWallet = Omit<Wallet, "userId">;

/**
 * A wallet as the API returns it. `version` is the account's `revision`, which increases with every entry and every hold,
 * so clients can tell the newer of two wallets. The account's own `version` counts its ledger entries without gaps.
 */
export function presentWallet(wallet: OwnWallet, metrics: Metrics): WalletView {
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
    metrics: presentMetrics(metrics, wallet),
  };
}

function presentMetrics(metrics: Metrics, { heldCents, heldCalls }: OwnWallet): WalletView["metrics"] {
  const netCents = metrics.returnedCents - metrics.wageredCents;
  const resolved = metrics.wins + metrics.losses;
  return {
    wagered: dollarsOf(metrics.wageredCents),
    wageredCents: metrics.wageredCents,
    returned: dollarsOf(metrics.returnedCents),
    returnedCents: metrics.returnedCents,
    net: dollarsOf(netCents),
    netCents,
    roi: metrics.wageredCents === 0 ? null : netCents / metrics.wageredCents,
    pending: dollarsOf(heldCents),
    pendingCents: heldCents,
    callsPlaced: metrics.callsCount + heldCalls,
    won: metrics.wins,
    lost: metrics.losses,
    refunded: metrics.refunded,
    winRate: resolved === 0 ? null : metrics.wins / resolved,
    currentStreak: metrics.currentStreak,
    bestStreak: metrics.bestStreak,
  };
}
