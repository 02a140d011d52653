import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type DatabasePool, inTransaction, type Queryable } from "#db/client.ts";
import { listBookChecks } from "#db/ledger/list-book-checks.ts";
import { compareScores } from "#src/play/leaderboard/repair-scores.ts";

/** The database did none of it; the checks of `bun run reconcile` name it; neither; or there was no row to do it to. */
export type Outcome =
  | { outcome: "refused"; by: string }
  | { outcome: "found"; by: string[] }
  | { outcome: "unnoticed" }
  | { outcome: "nothing" };

class Undone extends Error {}

const refusal = v.object({ cause: v.object({ errno: v.string(), message: v.string() }) });

/** What `bun run reconcile` finds. */
export async function findDifferences(db: Queryable): Promise<string[]> {
  const { results, scores } = await compareScores(db);
  const checks = await listBookChecks(db);
  return [...checks, { name: "results", bad: results }, { name: "scores", bad: scores }]
    .filter(({ bad }) => bad !== 0)
    .map(({ name }) => name);
}

/**
 * Sends statements in one transaction, up to the point where it would commit. Nothing of it stays.
 * @param pool of the application's role.
 * @param options isFree: what is taken may go unnoticed, so the books are not checked. watch: looks at what the statements have done.
 */
export async function attempt(
  pool: DatabasePool,
  statements: readonly string[],
  { isFree = false, watch }: { isFree?: boolean; watch?: (tx: Queryable) => Promise<void> } = {},
): Promise<Outcome> {
  const seen: { changed: boolean; found: string[] } = { changed: false, found: [] };
  const work = inTransaction(pool.db, async (tx) => {
    for (const statement of statements) {
      const rows = await tx.execute(sql.raw(statement));
      seen.changed ||= !statement.endsWith("RETURNING 1") || rows.length > 0;
    }
    await tx.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    await watch?.(tx);
    if (seen.changed && !isFree) seen.found = await findDifferences(tx);
    throw new Undone();
  });
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof Undone) {
    if (!seen.changed) return { outcome: "nothing" };
    return seen.found.length > 0 ? { outcome: "found", by: seen.found } : { outcome: "unnoticed" };
  }
  if (!v.is(refusal, error)) throw error;
  return { outcome: "refused", by: `${error.cause.errno} ${error.cause.message}` };
}
