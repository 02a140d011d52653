import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { shares } from "#db/schema/shares.ts";
import { notFound } from "#src/base/refusal.ts";
import { type OwnShare, ownUnrevoked } from "./update-share.ts";

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
