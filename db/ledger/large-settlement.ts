import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "../client.ts";
import { queryRows, wholeNumber, queryValue, writeIntegerArray } from "./query.ts";

/**
 * True if an event has more than `refund_at_once_max` calls, so that its settlement is large: a skip or a reset would take too
 * long to refund them in its own transaction.
 */
export function isLargeSettlement(db: Queryable, eventId: number): Promise<boolean> {
  return hasMoreCalls(db, eventId, sql`refund_at_once_max()`);
}

/** True if an event has more than `decide_at_once_max` calls, so that a request should not wait until they are decided. */
export function isDecidedLater(db: Queryable, eventId: number): Promise<boolean> {
  return hasMoreCalls(db, eventId, sql`decide_at_once_max()`);
}

async function hasMoreCalls(db: Queryable, eventId: number, limit: SQL): Promise<boolean> {
  return queryValue(db, v.boolean())`
    SELECT coalesce(sum(calls_count), 0) > ${limit} FROM spots WHERE event_id = ${eventId}`;
}

/** Closing or deciding a million calls takes longer than the default statement timeout. */
const LARGE_STATEMENT_TIMEOUT_MS = 600_000;

export async function raiseStatementTimeout(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(LARGE_STATEMENT_TIMEOUT_MS)}, true)`);
}

const counted = v.object({ eventId: wholeNumber, isUncalled: v.boolean(), isLarge: v.boolean() });

/** What the counts of the calls of events say: nobody has called one, or its settlement is large. */
export type CallCounts = { isUncalled: (eventId: number) => boolean; isLarge: (eventId: number) => boolean };

/** Reads how many calls these events have. While their gates are held, or after their close, this does not change. */
export async function countCalls(tx: Transaction, eventIds: readonly number[]): Promise<CallCounts> {
  const rows = await queryRows(tx, counted)`
    SELECT event_id AS "eventId", sum(calls_count) = 0 AS "isUncalled",
      sum(calls_count) > refund_at_once_max() AS "isLarge"
    FROM spots WHERE event_id = ANY (${writeIntegerArray(eventIds)}::bigint[]) GROUP BY event_id`;
  const idsOf = (which: "isUncalled" | "isLarge") =>
    new Set(rows.filter((row) => row[which]).map(({ eventId }) => eventId));
  const [uncalled, large] = [idsOf("isUncalled"), idsOf("isLarge")];
  return { isUncalled: (eventId) => uncalled.has(eventId), isLarge: (eventId) => large.has(eventId) };
}
