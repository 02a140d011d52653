import { sql } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { type BookCheck, listBookChecks } from "#db/ledger/reconcile.ts";
import { compareScores } from "#src/leaderboard/compare-scores.ts";

/**
 * Makes every check of the books and of the scores: each with how much is wrong by it, 0 where nothing is. They read every
 * call that there is, so that they may take longer than any other statement.
 */
export function runChecks(db: Database): Promise<BookCheck[]> {
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`SET LOCAL statement_timeout = '10min'`);
    const checks = await listBookChecks(tx);
    const { results, scores } = await compareScores(tx);
    return [
      ...checks,
      { name: "results that the calls do not say", bad: results },
      { name: "scores that the calls do not say", bad: scores },
    ];
  });
}
