import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

export type GrantPlayMoney = {
  userId: number;
  amountCents: number;
  /** One key, one grant: the same key answers the first grant again. */
  idempotencyKey: string;
  /** Shown with the transaction, "Welcome". */
  reason: string;
  actorId?: number | null;
};

/**
 * Grants play money to a wallet; what its owner owes is repaid from it first.
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
