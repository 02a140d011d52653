import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";

/** Rows per run, so that no run is long. The next run continues. */
const BATCH_SIZE = 10_000;

/** Deletes links that were revoked, or expired, 90 days ago. */
export async function pruneShares({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`DELETE FROM shares WHERE id IN (
    SELECT id FROM shares WHERE least(revoked_at, expires_at) < clock_timestamp() - interval '90 days' LIMIT ${BATCH_SIZE})`);
}
