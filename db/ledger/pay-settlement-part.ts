import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const paidPlayer = v.object({
  userId: wholeNumber,
  /** The refunds of calls that were settled for the first time. */
  refundedCents: wholeNumber,
  /** What calls that were paid before are paid more (or less, below 0) than then. */
  correctedCents: wholeNumber,
});
/** A player all of whose calls on an event were paid. */
export type PaidPlayer = v.InferOutput<typeof paidPlayer>;

/**
 * Pays the next players of a settlement, the highest ids first, until they have the ledger's number of calls for a part
 * together (or `callsMax`), and at least one. Other players' wallets are not touched; those of this part are locked until
 * the transaction ends.
 * @returns them in the order of their ids; none where all are paid, or another settlement supersedes this one.
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
