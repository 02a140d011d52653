import type { Queryable } from "#db/client.ts";
import { type BookCheck, listBookChecks } from "#db/ledger/reconcile.ts";
import { compareScores } from "#src/leaderboard/compare-scores.ts";

/** Makes every check of the books and of the scores: each with how much is wrong by it, 0 where nothing is. */
export async function makeChecks(db: Queryable): Promise<BookCheck[]> {
  const checks = await listBookChecks(db);
  const { results, scores } = await compareScores(db);
  return [
    ...checks,
    { name: "results that the calls do not say", bad: results },
    { name: "scores that the calls do not say", bad: scores },
  ];
}
