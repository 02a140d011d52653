import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";
import { countedResults, countedScores } from "./recount.ts";

const differences = v.object({ results: whole, scores: whole });
/** How many rows of each table are missing, too many, or not what the calls say. */
export type ScoreDifferences = v.InferOutput<typeof differences>;

/** Compares what is kept with what the calls say, in one snapshot: 0 and 0, always. It reads every call. */
export async function compareScores(db: Queryable): Promise<ScoreDifferences> {
  const [row] = await db.execute(sql`
    WITH ${countedResults(null)}, ${countedScores(sql`counted_results`)}
    SELECT
      (SELECT count(*) FROM (
        (TABLE counted_results EXCEPT TABLE results) UNION ALL (TABLE results EXCEPT TABLE counted_results)
      ) AS apart) AS results,
      (SELECT count(*) FROM (
        (TABLE counted_scores EXCEPT TABLE scores) UNION ALL (TABLE scores EXCEPT TABLE counted_scores)
      ) AS apart) AS scores`);
  return v.parse(differences, row);
}
