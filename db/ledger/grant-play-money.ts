import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { wholeNumber, queryValue } from "./query.ts";

export type GrantPlayMoney = {
  userId: number;
  amountCents: number;
  /** One key is one grant: the same key returns the first grant again. */
  idempotencyKey: string;
  /** The player sees it with the transaction. Example: "Welcome". */
  reason: string;
  actorId?: number | null;
};

/**
 * Grants play money to a wallet. It first repays the player's debt.
 * @returns the id of the journal
 * @throws LedgerRefusal invalid_amount at or below zero; key_reused for another amount or user; not_found without wallet
 */
export function grantPlayMoney(db: Queryable, grant: GrantPlayMoney): Promise<number> {
  return queryValue(db, wholeNumber)`
    SELECT grant_play_money(${grant.userId}, ${grant.amountCents}, ${grant.idempotencyKey},
      ${grant.actorId ?? null}, ${grant.reason})`;
}

/**
 * Creates a user's two accounts, wallet and receivable, if they are missing.
 * @returns the id of the wallet's account
 */
export function openWallet(db: Queryable, userId: number): Promise<number> {
  return queryValue(db, wholeNumber)`SELECT open_wallet(${userId})`;
}

/**
 * Takes back the grants of an unused wallet, with reversing entries.
 * @returns the id of the journal; null if the wallet was empty.
 * @throws LedgerRefusal wrong_state for a wallet with a call or with entries other than grants; not_found without wallet
 */
export function takeBackPlayMoney(
  db: Queryable,
  { userId, reason }: { userId: number; reason: string },
): Promise<number | null> {
  return queryValue(db, v.nullable(wholeNumber))`SELECT take_back_play_money(${userId}, ${reason})`;
}

/** True if play money was ever granted under this key, even if it was taken back later. */
export function wasGranted(db: Queryable, idempotencyKey: string): Promise<boolean> {
  return queryValue(db, v.boolean())`
    SELECT EXISTS (SELECT 1 FROM journal WHERE idempotency_key = 'grant-' || ${idempotencyKey})`;
}

/** How much play money was granted under this key; 0 if none was. */
export function readGrantedCents(db: Queryable, idempotencyKey: string): Promise<number> {
  return queryValue(db, wholeNumber)`SELECT coalesce(-sum(e.amount_cents), 0)
    FROM journal j JOIN entries e ON e.journal_id = j.id JOIN accounts a ON a.id = e.account_id AND a.kind = 'promo'
    WHERE j.idempotency_key = 'grant-' || ${idempotencyKey}`;
}
