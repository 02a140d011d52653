import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

const cancelled = v.object({ callId: wholeNumber, eventId: wholeNumber, wagerCents: wholeNumber });
export type CancelledCall = v.InferOutput<typeof cancelled>;

/**
 * Cancels a player's own call and releases its hold. Cancelling it again returns the same result.
 * @throws LedgerRefusal not_found (also for another player's call); wrong_state if the event is not open, or the close is less
 *   than 5 s away on the session's clock.
 */
export function cancelCall(db: Queryable, call: { userId: number; callId: number }): Promise<CancelledCall> {
  return queryRow(
    db,
    cancelled,
    sql`SELECT id AS "callId", event_id AS "eventId", wager_cents AS "wagerCents"
      FROM cancel_call(${call.userId}, ${call.callId})`,
  );
}
