import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { queryRow } from "./query.ts";

/**
 * True if an event has more than `settle_at_once_max` calls, so that its settlement is large. The transaction that resolves
 * the event then only decides what every call is paid. Parts of `settle_part_max` calls are paid afterwards, each in its own
 * transaction: by a worker's job, or by the sweep of any process. The settlement's row stores the progress, so a process that
 * is killed has paid whole parts.
 */
export async function isLargeSettlement(db: Queryable, eventId: number): Promise<boolean> {
  const { isLarge } = await queryRow(
    db,
    v.object({ isLarge: v.boolean() }),
    sql`SELECT coalesce(sum(calls_count), 0) > settle_at_once_max() AS "isLarge" FROM spots WHERE event_id = ${eventId}`,
  );
  return isLarge;
}

/** Closing or deciding a million calls takes longer than the default statement timeout. */
const LARGE_STATEMENT_TIMEOUT_MS = 600_000;

/** Raises the statement timeout of this transaction for a large settlement. */
export async function raiseStatementTimeout(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(LARGE_STATEMENT_TIMEOUT_MS)}, true)`);
}
