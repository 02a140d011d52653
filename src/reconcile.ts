import { connect } from "#db/client.ts";
import { listDifferences } from "#db/ledger/reconcile.ts";
import { readEnv } from "./env.ts";
import { compareScores } from "./leaderboard/compare-scores.ts";
import { rebuildScores } from "./leaderboard/rebuild-scores.ts";

// bun run reconcile: checks the books and the scores of the database that the settings name. It says what does not agree,
// one line each, and ends with 1 if anything does not. With --mend-scores it first counts the scores anew; the books are
// never mended, they are only ever added to.
const env = readEnv();
const pool = connect(env.databaseUrl, { poolSize: 1 });
try {
  if (process.argv.includes("--mend-scores")) await rebuildScores({ pool });
  const scores = await compareScores(pool.db);
  const lines = [
    ...(await listDifferences(pool.db)).map(({ name, bad }) => `${name}: ${bad}`),
    ...Object.entries(scores).flatMap(([name, bad]) =>
      bad === 0 ? [] : [`${name} that the calls do not say: ${bad}`],
    ),
  ];
  process.stdout.write(`${lines.length === 0 ? "The books and the scores agree." : lines.join("\n")}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
} finally {
  await pool.close();
}
