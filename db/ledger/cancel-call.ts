import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const cancelled = v.object({ callId: wholeNumber, eventId: wholeNumber, wagerCents: wholeNumber });
export type CancelledCall = v.InferOutput<typeof cancelled>;

/**
 * Cancels a player's own call and releases its hold. Cancelling it again returns the same result.
 * @returns null, without waiting, while another transaction holds the event. Then nothing has changed.
 * @throws LedgerRefusal not_found (also for another player's call); wrong_state if the event is not open, or the close is less
 *   than 5 s away on the session's clock.
 */
export async function cancelCall(
  db: Queryable,
  { userId, callId }: { userId: number; callId: number },
): Promise<CancelledCall | null> {
  const [call] = await queryRows(
    db,
    cancelled,
    sql`WITH gate AS MATERIALIZED (
        SELECT coalesce(try_event_gate_shared(
          (SELECT event_id FROM calls WHERE id = ${callId} AND user_id = ${userId})), TRUE) AS free
      )
      SELECT id AS "callId", event_id AS "eventId", wager_cents AS "wagerCents"
      FROM gate CROSS JOIN LATERAL cancel_call(${userId}, CASE WHEN free THEN ${callId}::bigint END) WHERE free`,
  );
  return call ?? null;
}
