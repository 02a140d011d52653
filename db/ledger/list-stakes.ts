import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { sides } from "../lists/spots.ts";
import { queryRows, wholeNumber } from "./query.ts";

const stakes = v.object({
  side: v.picklist(sides),
  wagerCents: wholeNumber,
  /** False for calls placed at or after the effective time, and after a void: they are refunded. */
  counts: v.boolean(),
  callsCount: wholeNumber,
});
export type SettledStakes = v.InferOutput<typeof stakes>;

/** The calls of the live settlement of an event, grouped by side, wager and whether they count. */
export function listStakes(db: Queryable, eventId: number): Promise<SettledStakes[]> {
  return queryRows(
    db,
    stakes,
    sql`SELECT p.side, c.wager_cents AS "wagerCents", count(*) AS "callsCount",
        s.result <> 'void' AND (s.effective_at IS NULL OR c.placed_at < s.effective_at) AS counts
      FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
        JOIN calls c ON c.event_id = e.id AND c.round = e.round JOIN spots p ON p.id = c.spot_id
      WHERE e.id = ${eventId} AND c.state IN ('placed', 'closed', 'resolved')
      GROUP BY p.side, c.wager_cents, counts`,
  );
}
