import { and, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { UNATTACHED_HOURS_MAX } from "./announce-upload.ts";

const PURGE_BATCH_SIZE = 200;

/**
 * Marks blobs as discarded, in the transaction that removes the last reference to them. The next purge deletes their bytes
 * and then their rows, so a rollback never loses a file.
 */
export async function discardBlobs(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(blobs)
    .set({ discardedAt: sql`clock_timestamp()`, attachedAt: null })
    .where(and(inArray(blobs.id, [...ids]), isNull(blobs.discardedAt)));
}

/** Discards uploads that were not attached within a day, and purges all discarded blobs. */
export async function sweepBlobs(deps: Pick<Deps, "pool" | "store">): Promise<void> {
  await deps.pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp()
    WHERE attached_at IS NULL AND discarded_at IS NULL
      AND created_at <= clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`);
  while ((await purgeBlobs(deps)) === PURGE_BATCH_SIZE);
}

/**
 * Deletes one batch of discarded blobs: the bytes first, so that bytes never remain without a row.
 * @returns how many were deleted; fewer than a batch when none are left.
 */
export async function purgeBlobs({ pool, store }: Pick<Deps, "pool" | "store">): Promise<number> {
  const discarded = await pool.db
    .select({ id: blobs.id, key: blobs.key })
    .from(blobs)
    .where(isNotNull(blobs.discardedAt))
    .limit(PURGE_BATCH_SIZE);
  for (const { key } of discarded) await store.remove(key);
  if (discarded.length > 0) {
    const ids = discarded.map(({ id }) => id);
    await pool.db.delete(blobs).where(inArray(blobs.id, ids));
  }
  return discarded.length;
}
