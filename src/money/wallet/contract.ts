import { ADJUSTMENT_MAX_CENTS } from "#db/lists/limits.ts";

/** Once a day, a player with less than this available and nothing in open calls can top up. */
export const TOP_UP_BELOW_CENTS = 100;
/** Codes of the refusals of POST /api/v1/users/:id/wallet/top_up. */
export const topUpRefusals = ["not_broke", "topped_up_today"] as const;

/** True for a wallet that can be topped up. */
export function isBroke(wallet: { availableBalanceCents: number; heldCents: number }): boolean {
  return wallet.availableBalanceCents < TOP_UP_BELOW_CENTS && wallet.heldCents === 0;
}

/** The most that one adjustment can add or take, in dollars. */
export const ADJUSTMENT_MAX = ADJUSTMENT_MAX_CENTS / 100;
