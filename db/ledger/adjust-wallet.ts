import type { Queryable } from "../client.ts";
import { wholeNumber, queryValue } from "./query.ts";

export type AdjustWallet = {
  userId: number;
  /** Positive: the player gets it. Negative: it is taken from the player. */
  amountCents: number;
  idempotencyKey: string;
  actorId: number;
  reason: string;
};

/**
 * Corrects a wallet manually, against the house account. The part of a debit that the wallet cannot cover becomes a debt of
 * the player.
 * @returns the id of the journal
 * @throws LedgerRefusal reason_required; invalid_amount for zero; key_reused; not_found without wallet
 */
export function adjustWallet(db: Queryable, adjust: AdjustWallet): Promise<number> {
  return queryValue(db, wholeNumber)`
    SELECT adjust(${adjust.userId}, ${adjust.amountCents}, ${adjust.idempotencyKey}, ${adjust.actorId},
      ${adjust.reason})`;
}
