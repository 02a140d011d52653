import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const difference = v.object({ name: v.string(), bad: wholeNumber });
export type Difference = v.InferOutput<typeof difference>;

/** Checks all books in one snapshot. Empty while everything is as it must be, which is always. */
export function listDifferences(db: Queryable): Promise<Difference[]> {
  return queryRows(db, difference, sql`SELECT name, bad FROM reconcile WHERE bad <> 0 ORDER BY name`);
}
