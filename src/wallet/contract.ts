/** Once a day, whoever has less than this available and nothing in open calls is given play money anew. */
export const TOP_UP_BELOW_CENTS = 100;
/** What is available afterwards, unless something is owed: that is paid first. */
export const TOP_UP_TO_CENTS = 1_000;
/** Codes of the refusals of POST /api/v1/users/:id/wallet/top_up. */
export const topUpRefusals = ["not_broke", "topped_up_today"] as const;

/** True for a wallet that a top-up is meant for. */
export function isBroke(wallet: { availableBalanceCents: number; heldCents: number }): boolean {
  return wallet.availableBalanceCents < TOP_UP_BELOW_CENTS && wallet.heldCents === 0;
}

export const transactionKinds = [
  "grant",
  "deposit",
  "hold",
  "release",
  "settle",
  "refund",
  "correction",
  "adjustment",
] as const;

/** Dollars that one adjustment may move, either way. */
export const ADJUSTMENT_MAX = 10_000;
