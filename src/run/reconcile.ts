import { connect, inTransaction } from "#db/client.ts";
import { makeChecks } from "#src/books/make-checks.ts";
import { mendScores } from "#src/leaderboard/mend-scores.ts";
import { readEnv } from "#src/settings/env.ts";

// bun run reconcile: checks the books and the scores of the database that the settings name. It says what does not agree,
// one line each, and ends with 1 if anything does not. With --mend-scores it first counts the scores anew; the books are
// never mended, they are only ever added to.
const env = readEnv();
const pool = connect(env.databaseUrl, { poolSize: 1 });
try {
  if (process.argv.includes("--mend-scores")) await inTransaction(pool.db, (tx) => mendScores(tx, null));
  const differences = (await makeChecks(pool.db)).filter(({ bad }) => bad !== 0);
  const lines = differences.map(({ name, bad }) => `${name}: ${bad}`);
  process.stdout.write(`${lines.length === 0 ? "The books and the scores agree." : lines.join("\n")}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
} finally {
  await pool.close();
}
