import { and, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { UNATTACHED_HOURS_MAX } from "./announce-upload.ts";

const PURGED_AT_ONCE = 200;

/** Gives files up, in the transaction after which nothing needs them. Their bytes go with the next purge. */
export async function discardBlobs(tx: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(blobs)
    .set({ discardedAt: sql`clock_timestamp()`, attachedAt: null })
    .where(and(inArray(blobs.id, [...ids]), isNull(blobs.discardedAt)));
}

/** Gives up what was uploaded and never attached, and removes all that was given up. */
export async function sweepBlobs(deps: Pick<Deps, "pool" | "store">): Promise<void> {
  await deps.pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp()
    WHERE attached_at IS NULL AND discarded_at IS NULL
      AND created_at <= clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`);
  while ((await purgeBlobs(deps)) === PURGED_AT_ONCE);
}

/**
 * Removes files that were given up: the bytes first, so that no bytes are ever left without a row that knows of them.
 * @returns how many.
 */
export async function purgeBlobs({ pool, store }: Pick<Deps, "pool" | "store">): Promise<number> {
  const given = await pool.db
    .select({ id: blobs.id, key: blobs.key })
    .from(blobs)
    .where(isNotNull(blobs.discardedAt))
    .limit(PURGED_AT_ONCE);
  for (const { key } of given) await store.remove(key);
  if (given.length > 0) {
    const ids = given.map(({ id }) => id);
    await pool.db.delete(blobs).where(inArray(blobs.id, ids));
  }
  return given.length;
}
