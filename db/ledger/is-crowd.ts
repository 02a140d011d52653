import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

/** True if an event has so many calls that its settlement is large: paid in parts, after the decision. */
export async function isCrowd(db: Queryable, eventId: number): Promise<boolean> {
  const { crowd } = await queryRow(
    db,
    v.object({ crowd: v.boolean() }),
    sql`SELECT coalesce(sum(calls_count), 0) > settle_at_once_max() AS crowd FROM spots WHERE event_id = ${eventId}`,
  );
  return crowd;
}
