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

/** The players of one part, ordered by id. */
export type PaidPart = {
  players: PaidPlayer[];
  /** Nobody is left to be paid. */
  isLast: boolean;
};

/**
 * Pays the next players of an event's unpaid settlement, highest ids first: as many players as have `callsMax` calls together
 * (default: the ledger's settle_part_max), at least one. Only their wallets are locked, until the transaction ends.
 * @returns the part; null if nothing is left to pay.
 */
export async function paySettlementPart(
  tx: Transaction,
  eventId: number,
  { callsMax = null }: { callsMax?: number | null } = {},
): Promise<PaidPart | null> {
  const rows = await queryRows(
    tx,
    v.object({ ...paidPlayer.entries, isLast: v.boolean() }),
    sql`SELECT user_id AS "userId", refunded_cents AS "refundedCents", corrected_cents AS "correctedCents",
        is_last AS "isLast"
      FROM pay_settlement_part(${eventId}, coalesce(${callsMax}::bigint, settle_part_max()))`,
  );
  const [first] = rows;
  if (first === undefined) return null;
  return { players: rows.map(({ isLast: _last, ...player }) => player), isLast: first.isLast };
}

/**
 * Pays an event's unpaid settlement in this transaction, all players at once. For a reset, which needs everybody paid before
 * it starts a new round.
 * @returns the players, ordered by id.
 */
export async function payWholeSettlement(tx: Transaction, eventId: number): Promise<PaidPlayer[]> {
  const paid: PaidPlayer[] = [];
  // There are two parts if an earlier settlement had not paid all players.
  for (;;) {
    const part = await paySettlementPart(tx, eventId, { callsMax: Number.MAX_SAFE_INTEGER });
    if (part === null) return paid;
    // The next part has players with lower ids.
    paid.unshift(...part.players);
    if (part.isLast) return paid;
  }
}
