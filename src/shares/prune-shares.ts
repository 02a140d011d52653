import { sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import { shares } from "#db/schema/shares.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const RETENTION_DAYS = 90;

/** Discards the pictures of links that were revoked or have expired, and deletes the links 90 days later. */
export async function pruneShares({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`WITH over AS (
      SELECT id, picture_blob_id FROM ${shares}
      WHERE picture_blob_id IS NOT NULL AND least(revoked_at, expires_at) < (SELECT clock_timestamp()) FOR UPDATE
    ), freed AS (
      UPDATE ${shares} SET picture_blob_id = NULL FROM over WHERE ${shares.id} = over.id
    ) UPDATE ${blobs} SET discarded_at = clock_timestamp(), attached_at = NULL
      FROM over WHERE ${blobs.id} = over.picture_blob_id AND discarded_at IS NULL`);
  await deleteOldRows(pool.db, {
    table: shares,
    old: sql`least(revoked_at, expires_at) < ${ago(RETENTION_DAYS, "days")}`,
  });
}
