import { sql } from "drizzle-orm";
import { shares } from "#db/schema/shares.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const RETENTION_DAYS = 90;

/** Deletes links that were revoked, or expired, 90 days ago. */
export async function pruneShares({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: shares,
    old: sql`least(revoked_at, expires_at) < ${ago(RETENTION_DAYS, "days")}`,
  });
}
