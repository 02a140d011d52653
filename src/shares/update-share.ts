import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { shares } from "#db/schema/shares.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { inDays, isLive } from "./create-share.ts";

export type OwnShare = { viewer: { id: number }; shareId: number };

const RETENTION_DAYS = 90;

/** Sets when a link expires, counted from now; null for never. */
export async function updateShare(
  db: Database,
  { viewer, shareId, expiresInDays }: OwnShare & { expiresInDays: number | null },
): Promise<void> {
  const updated = await db
    .update(shares)
    .set({ expiresAt: inDays(expiresInDays) })
    .where(and(ownUnrevoked({ viewer, shareId }), isLive))
    .returning({ id: shares.id });
  if (updated.length === 0) throw notFound();
}

/** In SQL: this link, if it is the viewer's and not revoked. */
export function ownUnrevoked({ viewer, shareId }: OwnShare) {
  return and(eq(shares.id, shareId), eq(shares.userId, viewer.id), isNull(shares.revokedAt));
}

/** Revokes a link: its page and its picture are not found any more, for ever. */
export async function revokeShare(db: Database, share: OwnShare): Promise<void> {
  const revoked = await db
    .update(shares)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(ownUnrevoked(share))
    .returning({ id: shares.id });
  if (revoked.length === 0) throw notFound();
}

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
