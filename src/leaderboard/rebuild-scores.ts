import { sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import type { Deps } from "#src/deps.ts";
import { compareScores, type ScoreDifferences } from "./compare-scores.ts";
import { recounted } from "./recount.ts";

/**
 * Counts all results and scores anew from the calls. Whoever settles meanwhile waits; whoever reads does not.
 * @returns what was wrong before.
 */
export function rebuildScores({ pool }: Pick<Deps, "pool">): Promise<ScoreDifferences> {
  return inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`LOCK TABLE results, scores IN SHARE ROW EXCLUSIVE MODE`);
    const differences = await compareScores(tx);
    await tx.execute(sql`DELETE FROM results`);
    await tx.execute(sql`DELETE FROM scores`);
    await tx.execute(sql`WITH ${recounted} INSERT INTO results TABLE counted_results`);
    await tx.execute(sql`WITH ${recounted} INSERT INTO scores TABLE counted_scores`);
    return differences;
  });
}
