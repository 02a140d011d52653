import { connect, inTransaction } from "#db/client.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { repairScores } from "#src/leaderboard/repair-scores.ts";
import { readEnv } from "#src/settings/env.ts";

// bun run reconcile: checks the books and the scores of the database that the settings name. It prints each difference on a
// line, and exits with 1 if there is any. With --repair-scores it first recomputes the scores from the calls. The books are
// append-only and never repaired.
const env = readEnv();
const pool = connect(env.databaseUrl, { poolSize: 1 });
try {
  if (process.argv.includes("--repair-scores")) await inTransaction(pool.db, (tx) => repairScores(tx, null));
  const differences = (await runChecks(pool.db)).filter(({ bad }) => bad !== 0);
  const lines = differences.map(({ name, bad }) => `${name}: ${bad}`);
  process.stdout.write(`${lines.length === 0 ? "The books and the scores agree." : lines.join("\n")}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
} finally {
  await pool.close();
}
