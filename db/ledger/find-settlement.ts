import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { results } from "../lists/events.ts";
import { queryRows, wholeNumber } from "./query.ts";

const liveSettlement = v.object({
  id: wholeNumber,
  result: v.picklist(results),
  effectiveAt: v.nullable(v.date()),
});
export type LiveSettlement = v.InferOutput<typeof liveSettlement>;

/** The live settlement of an event's current round, after all corrections; null if there is none. */
export async function findSettlement(db: Queryable, eventId: number): Promise<LiveSettlement | null> {
  const [settlement] = await queryRows(
    db,
    liveSettlement,
    sql`SELECT s.id, s.result, s.effective_at AS "effectiveAt"
      FROM settlements s JOIN events e ON e.id = s.event_id AND e.round = s.round
      WHERE s.event_id = ${eventId} AND NOT s.superseded`,
  );
  return settlement ?? null;
}
