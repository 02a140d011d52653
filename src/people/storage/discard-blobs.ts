import { and, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import { UNATTACHED_HOURS_MAX } from "./announce-upload.ts";

const BATCH_SIZE = 50;

type SweepDeps = Pick<Deps, "pool" | "store" | "log">;

/**
 * Marks blobs as discarded, in the transaction that removes the last reference to them. The sweep deletes their bytes and then their
 * rows, so a rollback never loses a file.
 */
export async function discardBlobs(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(blobs)
    .set({ discardedAt: sql`clock_timestamp()`, attachedAt: null })
    .where(and(inArray(blobs.id, [...ids]), isNull(blobs.discardedAt)));
}

/**
 * Discards uploads that were not attached within a day, and deletes all discarded blobs. One that the storage refuses to delete holds
 * up no other, and is tried again after growing pauses.
 */
export async function sweepBlobs(deps: SweepDeps): Promise<void> {
  await deps.pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp()
    WHERE attached_at IS NULL AND discarded_at IS NULL
      AND created_at <= clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`);
  while ((await deleteBatch(deps)) === BATCH_SIZE);
}

/** The bytes first, so that bytes never remain without a row. @returns how many were tried. */
async function deleteBatch({ pool, store, log }: SweepDeps): Promise<number> {
  const discarded = await pool.db
    .select({ id: blobs.id, key: blobs.key })
    .from(blobs)
    .where(and(isNotNull(blobs.discardedAt), notPaused("stored_file", blobs.id)))
    .orderBy(blobs.id)
    .limit(BATCH_SIZE);
  const removed: number[] = [];
  const remove = async ({ id, key }: (typeof discarded)[number]) => {
    await store.remove(key);
    removed.push(id);
  };
  await tryRows({ pool, log }, discarded, remove, {
    kind: "stored_file",
    idOf: ({ id }) => id,
    together: true,
  });
  if (removed.length > 0) await pool.db.delete(blobs).where(inArray(blobs.id, removed));
  return discarded.length;
}
