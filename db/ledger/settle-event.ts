import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

export type SettleEvent = {
  eventId: number;
  result: "true" | "false" | "void";
  /** Null: the system (a timer). */
  actorId: number | null;
  /** Calls placed at or after it are refunded. */
  effectiveAt?: Date | null;
  /** Required when an earlier settlement of the round is corrected. */
  reason?: string | null;
};

/**
 * Pays the closed calls of the event's round, or corrects an earlier settlement by what the new one pays more or less.
 * Money only: the caller moves the event to resolved with this result (or, after a void, to the next round) in the same
 * transaction, which cannot commit otherwise. Asked for what is already so, it changes nothing.
 * @returns the id of the live settlement
 * @throws LedgerRefusal not_found; wrong_state while the event is not closed or calls are still placed;
 *   reason_required for a correction without one
 */
export async function settleEvent(tx: Transaction, settle: SettleEvent): Promise<number> {
  const { settlementId } = await queryRow(
    tx,
    v.object({ settlementId: wholeNumber }),
    sql`SELECT settle_event_calls(${settle.eventId}, ${settle.result}, ${settle.actorId},
      ${settle.effectiveAt ?? null}, ${settle.reason ?? null}) AS "settlementId"`,
  );
  return settlementId;
}
