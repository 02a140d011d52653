import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

/**
 * Takes the exclusive gates of events, in ascending order, until the transaction ends. Meanwhile no call of
 * these events is placed or cancelled, and none is half done. Lock the session's row before the gates, the events' rows after.
 */
export async function gateEvent(tx: Transaction, ...eventIds: number[]): Promise<void> {
  await queryRows(
    tx,
    v.unknown(),
    sql`SELECT event_gate(id) FROM (
      SELECT DISTINCT id FROM unnest(${writeIntegerArray(eventIds)}::bigint[]) AS id ORDER BY id
    ) g`,
  );
}
