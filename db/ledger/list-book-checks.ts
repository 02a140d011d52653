import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const check = v.object({ name: v.string(), bad: wholeNumber });
/** One check of the books. `bad` says how much is wrong (a count, or cents); it must always be 0. */
export type BookCheck = v.InferOutput<typeof check>;

/** Runs every check of the books, in one snapshot. db/sql/views/wrong-rows.sql lists what they find. */
export function listBookChecks(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check, sql`SELECT name, bad FROM reconcile`);
}

const id = v.nullable(wholeNumber);
const differingRow = v.object({
  /** The row. Example: "wallet 12". */
  label: v.string(),
  /** The difference. Example: "150 cents, 200 held". */
  detail: v.string(),
  userId: id,
  eventId: id,
  callId: id,
});
/** One row that a check of the reconcile view counts. */
export type DifferingRow = v.InferOutput<typeof differingRow>;

/**
 * Lists rows that a check counts, lowest id first.
 * @param check its name in the reconcile view.
 */
export function listDifferingRows(
  db: Queryable,
  check: string,
  { limit }: { limit: number },
): Promise<DifferingRow[]> {
  return queryRows(
    db,
    differingRow,
    sql`SELECT label, detail, user_id AS "userId", event_id AS "eventId", call_id AS "callId"
      FROM wrong_rows WHERE name = ${check} AND bad IS NOT NULL ORDER BY n LIMIT ${limit}`,
  );
}
