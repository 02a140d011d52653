import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const check = v.object({ name: v.string(), bad: wholeNumber });
/** One check of the books, and how much is wrong by it: 0, always. */
export type BookCheck = v.InferOutput<typeof check>;

/** Makes every check of the books, in one snapshot. */
export function listBookChecks(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check, sql`SELECT name, bad FROM reconcile`);
}

/** Checks all books in one snapshot. Empty while everything is as it must be, which is always. */
export function listDifferences(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check, sql`SELECT name, bad FROM reconcile WHERE bad <> 0 ORDER BY name`);
}
