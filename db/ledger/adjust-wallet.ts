import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

export type AdjustWallet = {
  userId: number;
  /** Above zero in the player's favour, below zero against it. */
  amountCents: number;
  idempotencyKey: string;
  actorId: number;
  reason: string;
};

/**
 * Corrects a wallet by hand, against the house. What a wallet cannot cover becomes what its owner owes.
 * @returns the id of the journal
 * @throws LedgerRefusal reason_required; invalid_amount for zero; key_reused; not_found without wallet
 */
export async function adjustWallet(db: Queryable, adjust: AdjustWallet): Promise<number> {
  const { journalId } = await queryRow(
    db,
    v.object({ journalId: wholeNumber }),
    sql`SELECT adjust(${adjust.userId}, ${adjust.amountCents}, ${adjust.idempotencyKey}, ${adjust.actorId},
      ${adjust.reason}) AS "journalId"`,
  );
  return journalId;
}
