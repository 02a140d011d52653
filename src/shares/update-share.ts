import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { shares } from "#db/schema/shares.ts";
import { notFound } from "#src/base/refusal.ts";
import { inDays, isLive } from "./create-share.ts";

/** Names one of the viewer's links. */
export type OwnShare = { viewer: { id: number }; shareId: number };

/**
 * Sets when a link expires, counted from now; null for never.
 * @throws Refusal 404 for another player's link, and for one that is revoked or has expired.
 */
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

/**
 * Revokes a link: its page and its picture are not found any more, for ever.
 * @throws Refusal 404 for another player's link and for a revoked one.
 */
export async function revokeShare(db: Database, share: OwnShare): Promise<void> {
  const revoked = await db
    .update(shares)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(ownUnrevoked(share))
    .returning({ id: shares.id });
  if (revoked.length === 0) throw notFound();
}
