import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const check = v.object({ name: v.string(), bad: wholeNumber });
/** One check of the books. `bad` says how much is wrong (a count, or cents); it must always be 0. */
export type BookCheck = v.InferOutput<typeof check>;

/** Runs every check of the books, in one snapshot. The checks are in db/sql/views/reconcile.sql. */
export function listBookChecks(db: Queryable): Promise<BookCheck[]> {
  return queryRows(db, check, sql`SELECT name, bad FROM reconcile`);
}
