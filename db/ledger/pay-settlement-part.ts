import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const paidPlayer = v.object({
  userId: wholeNumber,
  /** The refunds of calls that are settled for the first time. */
  refundedCents: wholeNumber,
  /** For calls that an earlier settlement paid: the difference to now. Negative if they are paid less. */
  correctedCents: wholeNumber,
});
/** A player whose calls on an event were all paid. */
export type PaidPlayer = v.InferOutput<typeof paidPlayer>;

/**
 * Pays the next players of a settlement, highest ids first: as many players as have `callsMax` calls together (default: the
 * ledger's settle_part_max), at least one. Only their wallets are locked, until the transaction ends.
 * @returns the paid players, ordered by id; none if all are paid, or if another settlement supersedes this one.
 */
export function paySettlementPart(
  tx: Transaction,
  settlementId: number,
  { callsMax = null }: { callsMax?: number | null } = {},
): Promise<PaidPlayer[]> {
  return queryRows(
    tx,
    paidPlayer,
    sql`SELECT user_id AS "userId", refunded_cents AS "refundedCents", corrected_cents AS "correctedCents"
      FROM pay_settlement_part(${settlementId}, coalesce(${callsMax}::bigint, settle_part_max()))`,
  );
}
