import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { sides } from "#db/lists/spots.ts";

const arrivalsRow = v.object({
  eventId: wholeNumber,
  side: v.picklist(sides),
  /** Whole seconds before the close: 0 is the last second. */
  second: wholeNumber,
  calls: wholeNumber,
  wagerCents: wholeNumber,
});
/** The calls of one side of an event within one second. */
export type Arrivals = v.InferOutput<typeof arrivalsRow>;

/**
 * The calls of these events, without cancelled ones, by side and second before the close. It reads all calls of the events' current
 * rounds, through the index by event: callers remember the answer (arrivals-of.ts).
 */
export function readArrivals(db: Queryable, eventIds: readonly number[]): Promise<Arrivals[]> {
  return queryRows(
    db,
    arrivalsRow,
    sql`SELECT e.id AS "eventId", s.side, count(*) AS calls, sum(c.wager_cents) AS "wagerCents",
        greatest(0, floor(extract(epoch FROM coalesce(e.closed_at, e.closes_at) - c.placed_at)))::int AS second
      FROM events e
        JOIN spots s ON s.event_id = e.id
        JOIN calls c ON c.event_id = e.id AND c.spot_id = s.id AND c.round = e.round AND c.state <> 'soft_destroyed'
      WHERE e.id = ANY (${writeIntegerArray(eventIds)}::bigint[])
      GROUP BY e.id, s.side, second`,
  );
}
