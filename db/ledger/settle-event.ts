import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import type { EventResult } from "../lists/events.ts";
import { allowTimeForCrowd } from "./allow-time.ts";
import { isCrowd } from "./is-crowd.ts";
import { type PaidPlayer, paySettlementPart } from "./pay-settlement-part.ts";
import { queryRow, wholeNumber } from "./query.ts";

export type SettleEvent = {
  eventId: number;
  result: EventResult;
  /** Null: the system (a timer). */
  actorId: number | null;
  /** Calls placed at or after it are refunded. */
  effectiveAt?: Date | null;
  /** Required when an earlier settlement of the round is corrected. */
  reason?: string | null;
};

/** The live settlement, and the players that this transaction has paid: null where a large settlement is paid in parts, afterwards. */
export type Settled = { settlementId: number; paid: PaidPlayer[] | null };

/**
 * Decides what the closed calls of the event's round are paid, or corrects an earlier settlement of it, and pays them unless
 * the settlement is large. Money only: the caller moves the event to resolved with this result (or, after a void, to the next
 * round) in the same transaction, which cannot commit otherwise. A request for the result that is already live changes nothing.
 * @throws LedgerRefusal not_found; wrong_state while the event is not closed or calls are still placed;
 *   reason_required for a correction without one
 */
export async function settleEvent(tx: Transaction, settle: SettleEvent): Promise<Settled> {
  const crowd = await isCrowd(tx, settle.eventId);
  if (crowd) await allowTimeForCrowd(tx);
  const { settlementId } = await queryRow(
    tx,
    v.object({ settlementId: wholeNumber }),
    sql`SELECT settle_event_calls(${settle.eventId}, ${settle.result}, ${settle.actorId},
      ${settle.effectiveAt ?? null}, ${settle.reason ?? null}) AS "settlementId"`,
  );
  if (!crowd) return { settlementId, paid: await payAll(tx, settlementId) };
  // Statements that read these tables while the parts are paid are then planned for the number of rows they have now.
  await tx.execute(sql`ANALYZE calls, settlements, settlement_lines`);
  return { settlementId, paid: null };
}

/** One part, as large as it takes; two where an earlier settlement has not come to all players. */
async function payAll(tx: Transaction, settlementId: number): Promise<PaidPlayer[]> {
  const paid: PaidPlayer[] = [];
  for (;;) {
    const part = await paySettlementPart(tx, settlementId, { callsMax: Number.MAX_SAFE_INTEGER });
    if (part.length === 0) return paid;
    // The next part has lower players.
    paid.unshift(...part);
  }
}
