import { connect, type DatabasePool, inTransaction } from "#db/client.ts";
import { findNewestSeal, findSeal } from "#db/ledger/seal-journals.ts";
import { runChecks } from "#src/books/run-checks.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { repairScores } from "#src/play/leaderboard/repair-scores.ts";
import { readEnv } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

// bun run reconcile: checks the books, their seals and the scores of the database that the settings name. It prints each difference
// on a line, and exits with 1 if there is any; then it prints the head of the seals. Keep the head where an administrator of the
// database cannot change it: --head HASH later finds out whether the books from before it are still the same. With --repair-scores
// it first recomputes the scores from the calls. The books are append-only and never repaired.
await runCommand(async ({ say }) => {
  const env = readEnv();
  await using pool = connect(env.databaseUrl, { poolSize: 1 });
  if (process.argv.includes("--repair-scores")) await inTransaction(pool.db, (tx) => repairScores(tx, null));
  await sealNewJournals({ pool });
  const differences = (await runChecks(pool.db)).filter(({ bad }) => bad !== 0);
  const lines = [
    ...differences.map(({ name, bad }) => `${name}: ${bad}`),
    ...(await compareHead(pool, headIn(process.argv))),
  ];
  process.exitCode = lines.length === 0 ? 0 : 1;
  if (lines.length === 0) lines.push("The books and the scores agree.");
  const head = await findNewestSeal(pool.db);
  if (head !== null) lines.push(`head of seal ${head.id}, ${head.sealedAt.toISOString()}: ${head.hash}`);
  say(lines.join("\n"));
});

/** What follows --head; null without it. */
function headIn(words: readonly string[]): string | null {
  const at = words.indexOf("--head");
  return at < 0 ? null : (words[at + 1] ?? "").toLowerCase();
}

/** The difference to a head that was kept: no seal has it any more. */
async function compareHead({ db }: DatabasePool, kept: string | null): Promise<string[]> {
  if (kept === null || (await findSeal(db, kept)) !== null) return [];
  return [`the seals do not have the head ${kept}: what was booked before it has been changed or removed`];
}
