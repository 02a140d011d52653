import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRows } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

/**
 * Takes the exclusive gates of events, in ascending order, until the transaction ends: no call is placed or taken back
 * on them meanwhile, and none is in flight. Take them after the session's row and before the events' rows.
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
