import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import type { EventResult } from "../lists/events.ts";
import { isLargeSettlement, raiseStatementTimeout } from "./large-settlement.ts";
import { queryRow, wholeNumber } from "./query.ts";

export type SettleEvent = {
  eventId: number;
  result: EventResult;
  /** Null for the system (a timer). */
  actorId: number | null;
  /** Calls placed at or after it are refunded. */
  effectiveAt?: Date | null;
  /** Required for the correction of an earlier settlement of the round. */
  reason?: string | null;
};

/**
 * Decides what the closed calls of the event's round are paid, or corrects an earlier settlement of it. It pays nothing:
 * `paySettlementPart` does, in transactions of its own. A result is settled by `resolve_events`, this is for a reset. The caller must move the event to resolved with this result (or,
 * after a void, to the next round) in the same transaction; it cannot commit otherwise. A request for the result in force
 * changes nothing.
 * @returns the id of the live settlement
 * @throws LedgerRefusal not_found; wrong_state while the event is not closed or calls are still placed;
 *   reason_required for a correction without one
 */
export async function settleEvent(tx: Transaction, settle: SettleEvent): Promise<number> {
  if (await isLargeSettlement(tx, settle.eventId)) await raiseStatementTimeout(tx);
  const { settlementId } = await queryRow(
    tx,
    v.object({ settlementId: wholeNumber }),
    sql`SELECT settle_event_calls(${settle.eventId}, ${settle.result}, ${settle.actorId},
      ${settle.effectiveAt ?? null}, ${settle.reason ?? null}) AS "settlementId"`,
  );
  return settlementId;
}
