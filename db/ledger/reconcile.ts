import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const check = v.object({ name: v.string(), bad: wholeNumber });
/** One check of the books, and how much is wrong by it: 0, always. */
export type BookCheck = v.InferOutput<typeof check>;

/** Makes every check of the books, in one snapshot. db/sql/views/reconcile.sql has the checks. */
export function listBookChecks(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check, sql`SELECT name, bad FROM reconcile`);
}
