import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

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
export async function grantPlayMoney(db: Queryable, grant: GrantPlayMoney): Promise<number> {
  const { journalId } = await queryRow(
    db,
    v.object({ journalId: wholeNumber }),
    sql`SELECT grant_play_money(${grant.userId}, ${grant.amountCents}, ${grant.idempotencyKey},
      ${grant.actorId ?? null}, ${grant.reason}) AS "journalId"`,
  );
  return journalId;
}

/**
 * Creates a user's two accounts, wallet and receivable, if they are missing.
 * @returns the id of the wallet's account
 */
export async function openWallet(db: Queryable, userId: number): Promise<number> {
  const { accountId } = await queryRow(
    db,
    v.object({ accountId: wholeNumber }),
    sql`SELECT open_wallet(${userId}) AS "accountId"`,
  );
  return accountId;
}

/**
 * Takes back the grants of an unused wallet, with reversing entries.
 * @returns the id of the journal; null if the wallet was empty.
 * @throws LedgerRefusal wrong_state for a wallet with a call or with entries other than grants; not_found without wallet
 */
export async function takeBackPlayMoney(
  db: Queryable,
  { userId, reason }: { userId: number; reason: string },
): Promise<number | null> {
  const { journalId } = await queryRow(
    db,
    v.object({ journalId: v.nullable(wholeNumber) }),
    sql`SELECT take_back_play_money(${userId}, ${reason}) AS "journalId"`,
  );
  return journalId;
}
