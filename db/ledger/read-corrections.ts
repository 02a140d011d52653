import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { results } from "../lists/events.ts";
import { queryRow, queryRows, wholeNumber } from "./query.ts";

const decision = v.object({
  eventId: wholeNumber,
  /** The result that is paid; null while it waits. */
  result: v.nullable(v.picklist(results)),
  decidedAt: v.date(),
  resolvedAt: v.nullable(v.date()),
  /** When the result was corrected last, and what it was before that. */
  correctedAt: v.nullable(v.date()),
  was: v.nullable(v.picklist(results)),
});
/** What was decided on an event, pending or not. */
export type ResultDecision = v.InferOutput<typeof decision>;

/** What was decided or corrected last in a session, the newest first. */
export function readDecisions(db: Queryable, sessionId: number, limit: number): Promise<ResultDecision[]> {
  return queryRows(
    db,
    decision,
    // Results of before the column was there have no moment of their decision.
    sql`SELECT e.id AS "eventId", e.result, coalesce(e.decided_at, e.resolved_at) AS "decidedAt",
        e.resolved_at AS "resolvedAt", s.created_at AS "correctedAt", b.result AS was
      FROM events e
        LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded AND s.version > 1
        LEFT JOIN settlements b ON b.event_id = e.id AND b.round = e.round AND b.version = s.version - 1
      WHERE e.session_id = ${sessionId} AND e.state IN ('closed', 'resolved')
        AND coalesce(e.decided_at, e.resolved_at) IS NOT NULL
      ORDER BY greatest(s.created_at, coalesce(e.decided_at, e.resolved_at)) DESC, e.id DESC LIMIT ${limit}`,
  );
}

const latest = v.object({ at: v.nullable(v.date()) });

/** When a result that counts for a span of time was corrected last, after its end; null if none was. */
export async function findCorrectionAfter(
  db: Queryable,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
): Promise<Date | null> {
  const { at } = await queryRow(
    db,
    latest,
    sql`SELECT max(s.created_at) AS at FROM events e
        JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND s.version > 1
      WHERE e.resolved_at >= ${startsAt.toISOString()}::timestamptz AND e.resolved_at < ${endsAt.toISOString()}::timestamptz
        AND s.created_at >= ${endsAt.toISOString()}::timestamptz`,
  );
  return at;
}
