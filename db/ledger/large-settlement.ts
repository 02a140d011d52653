import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { queryRow } from "./query.ts";

/**
 * True if an event has more than `refund_at_once_max` calls, so that its settlement is large: a skip or a reset would take too
 * long to refund them in its own transaction.
 */
export async function isLargeSettlement(db: Queryable, eventId: number): Promise<boolean> {
  const { isLarge } = await queryRow(
    db,
    v.object({ isLarge: v.boolean() }),
    sql`SELECT coalesce(sum(calls_count), 0) > refund_at_once_max() AS "isLarge" FROM spots WHERE event_id = ${eventId}`,
  );
  return isLarge;
}

/** Closing or deciding a million calls takes longer than the default statement timeout. */
const LARGE_STATEMENT_TIMEOUT_MS = 600_000;

/** Raises the statement timeout of this transaction for a large settlement. */
export async function raiseStatementTimeout(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(LARGE_STATEMENT_TIMEOUT_MS)}, true)`);
}
