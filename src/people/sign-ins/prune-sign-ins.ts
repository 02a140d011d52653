import { sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

/** The account's page shows none of them. For so long their users can still read of them in the download of their data. */
const RETENTION_DAYS = 30;

/**
 * Deletes sign-ins that expired 30 days ago, ended or not, with their push subscriptions. Every sign-in expires, so one that was
 * ended is kept for at most 30 days longer than it would have lasted.
 * @param options batchSize: the rows of a statement.
 */
export async function pruneSignIns(
  { pool }: Pick<Deps, "pool">,
  options: { batchSize?: number } = {},
): Promise<void> {
  const old = sql`${signIns.expiresAt} < ${ago(RETENTION_DAYS, "days")}`;
  await deleteOldRows(pool.db, { table: signIns, old, ...options });
}
