import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { callStates } from "../lists/calls.ts";
import { queryRow, wholeNumber } from "./query.ts";

const destroyed = v.object({
  userId: wholeNumber,
  eventId: wholeNumber,
  round: wholeNumber,
  wagerCents: wholeNumber,
  /** Before it was destroyed: soft_destroyed if it was destroyed earlier, which changes nothing. */
  stateBefore: v.picklist(callStates),
});
export type DestroyedCall = v.InferOutput<typeof destroyed>;

/**
 * Destroys a player's placed or closed call by an admin's decision, and releases its hold. Destroying it again changes nothing.
 * @throws LedgerRefusal not_found; wrong_state unless its event is open or closed and has no settlement
 */
export function destroyCall(tx: Transaction, callId: number): Promise<DestroyedCall> {
  return queryRow(
    tx,
    destroyed,
    sql`SELECT user_id AS "userId", event_id AS "eventId", round, wager_cents AS "wagerCents", state AS "stateBefore"
      FROM destroy_call(${callId})`,
  );
}
