import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { expectedResults, expectedScores } from "./expected-scores.ts";

const differences = v.object({ results: wholeNumber, scores: wholeNumber });
/** How many rows of each table are missing, extra, or different from what the calls give. */
export type ScoreDifferences = v.InferOutput<typeof differences>;

/** Compares the stored results and scores with the calls, in one snapshot. Both counts should be 0. It reads every call. */
export async function compareScores(db: Queryable): Promise<ScoreDifferences> {
  const [row] = await db.execute(sql`
    WITH ${expectedResults(null)}, ${expectedScores(sql`expected_results`)}
    SELECT
      (SELECT count(*) FROM (
        (TABLE expected_results EXCEPT TABLE results) UNION ALL (TABLE results EXCEPT TABLE expected_results)
      ) AS differing) AS results,
      (SELECT count(*) FROM (
        (TABLE expected_scores EXCEPT TABLE scores) UNION ALL (TABLE scores EXCEPT TABLE expected_scores)
      ) AS differing) AS scores`);
  return v.parse(differences, row);
}
