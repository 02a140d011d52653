import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import type { RefundCause } from "../lists/calls.ts";
import { queryRows, wholeNumber } from "./query.ts";

const refunded = v.object({ callId: wholeNumber, userId: wholeNumber });
export type RefundedCall = v.InferOutput<typeof refunded>;

/**
 * Destroys every active call of an event and releases its hold.
 * @param refund `cause` is stored with each call, so that its player can read why it was refunded.
 * @returns the calls and their players
 */
export function refundActiveCalls(
  tx: Transaction,
  { eventId, cause }: { eventId: number; cause: Exclude<RefundCause, "admin"> },
): Promise<RefundedCall[]> {
  return queryRows(
    tx,
    refunded,
    sql`SELECT call_id AS "callId", user_id AS "userId" FROM refund_active(${eventId}, ${cause})`,
  );
}
