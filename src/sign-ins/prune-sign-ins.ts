import { sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";

/** The account's page shows none of them. For so long their users can still read of them in the download of their data. */
const RETENTION_DAYS = 30;
/** Rows of a statement, so that none is long. */
const BATCH_SIZE = 1_000;

/**
 * Deletes sign-ins that expired 30 days ago, ended or not, with their push subscriptions. Every sign-in expires, so one that was
 * ended is kept for at most 30 days longer than it would have lasted.
 * @param options batchSize: the rows of a statement.
 */
export async function pruneSignIns(
  { pool }: Pick<Deps, "pool">,
  { batchSize = BATCH_SIZE }: { batchSize?: number } = {},
): Promise<void> {
  for (;;) {
    const deleted = await pool.db.execute(sql`
      DELETE FROM ${signIns} WHERE id IN (
        SELECT id FROM ${signIns} WHERE expires_at < clock_timestamp() - make_interval(days => ${RETENTION_DAYS})
        ORDER BY expires_at LIMIT ${batchSize}
      ) RETURNING id`);
    if (deleted.length < batchSize) return;
  }
}
