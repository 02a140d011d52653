import { sql } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { type BookCheck, listBookChecks } from "#db/ledger/list-book-checks.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";

/**
 * Runs all checks of the ledger and of the scores, and returns how many rows each finds wrong (0 is good). They read every
 * call, so their statement timeout is longer than usual.
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
