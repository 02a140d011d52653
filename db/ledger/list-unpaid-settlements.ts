import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

const unpaidSettlement = v.object({
  eventId: wholeNumber,
  callsCount: wholeNumber,
  /** How many of them are paid. */
  paidCallsCount: wholeNumber,
  /** When it was decided. */
  createdAt: v.date(),
});
export type UnpaidSettlement = v.InferOutput<typeof unpaidSettlement>;

/**
 * The live settlements that have not paid all players yet, oldest first: at most one for each event. Usually there is none.
 * @param eventIds only of these events. @param condition on a column `event_id`.
 */
export function listUnpaidSettlements(
  db: Queryable,
  eventIds?: readonly number[],
  condition = sql`true`,
): Promise<UnpaidSettlement[]> {
  const ofEvents =
    eventIds === undefined ? sql`` : sql`AND event_id = ANY (${writeIntegerArray(eventIds)}::bigint[])`;
  return queryRows(
    db,
    unpaidSettlement,
    sql`SELECT event_id AS "eventId", calls_count AS "callsCount",
        paid_calls_count AS "paidCallsCount", created_at AS "createdAt"
      FROM settlements WHERE paid_at IS NULL AND NOT superseded ${ofEvents} AND ${condition} ORDER BY id`,
  );
}

/** For a SELECT: true while the event's settlement has not paid all players yet. @param eventId a column. */
export const isUnpaid = (eventId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`${eventId} IN (SELECT event_id FROM settlements WHERE paid_at IS NULL AND NOT superseded)`;
