import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow, wholeNumber } from "#db/ledger/query.ts";

const counts = v.object({ seals: wholeNumber, journalsLeft: wholeNumber, auditsLeft: wholeNumber });

/** How many seals there are, and how many committed journals and audit rows are in none of them. */
export function readCounts(db: Queryable): Promise<v.InferOutput<typeof counts>> {
  return queryRow(
    db,
    counts,
    sql`SELECT (SELECT count(*) FROM journal_seals) AS seals,
      (SELECT count(*) FROM journal WHERE NOT coalesce((SELECT range_agg(journals) FROM journal_seals), '{}') @> id)
        AS "journalsLeft",
      (SELECT count(*) FROM audit WHERE NOT coalesce((SELECT range_agg(audits) FROM journal_seals), '{}') @> id)
        AS "auditsLeft"`,
  );
}
