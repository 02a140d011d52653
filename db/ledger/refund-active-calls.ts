import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const refunded = v.object({ callId: wholeNumber, userId: wholeNumber });
export type RefundedCall = v.InferOutput<typeof refunded>;

/**
 * Destroys every active call of an event and releases its hold (reset, skip, stop).
 * @returns the calls and their players
 */
export function refundActiveCalls(tx: Transaction, eventId: number): Promise<RefundedCall[]> {
  return queryRows(
    tx,
    refunded,
    sql`SELECT call_id AS "callId", user_id AS "userId" FROM refund_active(${eventId})`,
  );
}
