import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { Semaphore } from "#db/pool/semaphore.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { describeError } from "#src/base/describe-error.ts";
import { UNATTACHED_HOURS_MAX } from "./announce-upload.ts";

const BATCH_SIZE = 50;
const AT_ONCE_MAX = 8;
/** The pause after the first attempt that failed. It doubles with each further one. */
const PAUSE_SECONDS = 30;
const PAUSE_SECONDS_MAX = 3_600;
const DOUBLINGS_MAX = 10;
const ERROR_LENGTH_MAX = 500;

type PurgeDeps = Pick<Deps, "pool" | "store" | "log">;

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
export async function sweepBlobs(deps: PurgeDeps): Promise<void> {
  await deps.pool.db.execute(sql`
    UPDATE ${blobs} SET discarded_at = clock_timestamp()
    WHERE attached_at IS NULL AND discarded_at IS NULL
      AND created_at <= clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`);
  const places = new Semaphore(AT_ONCE_MAX);
  for (;;) {
    const due = await claimDue(deps);
    await Promise.all(due.map((blob) => places.run(() => deleteBlob(deps, blob))));
    if (due.length < BATCH_SIZE) return;
  }
}

/** What could not be deleted so far. */
export type UndeletedBlobs = { count: number; reason: string | null; nextAt: Date | null };

/** Counts the discarded blobs that the storage has refused to delete. */
export async function findUndeleted(db: Queryable): Promise<UndeletedBlobs> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      reason: sql<string | null>`(array_agg(${blobs.deleteError} ORDER BY ${blobs.deleteAt} DESC))[1]`,
      nextAt: sql`min(${blobs.deleteAt})`.mapWith(blobs.deleteAt),
    })
    .from(blobs)
    .where(and(isNotNull(blobs.discardedAt), isNotNull(blobs.deleteError)));
  return row ?? { count: 0, reason: null, nextAt: null };
}

/** Makes those due that were refused: an operator has repaired the storage. */
export async function deleteUndeleted(db: Queryable): Promise<void> {
  await db
    .update(blobs)
    .set({ deleteAt: sql`clock_timestamp()` })
    .where(and(isNotNull(blobs.discardedAt), isNotNull(blobs.deleteError)));
}

const dueRow = v.object({ id: v.pipe(v.string(), v.toNumber()), key: v.string() });
type DueBlob = v.InferOutput<typeof dueRow>;

/** Takes a batch for this process, and sets when it is tried again. So what kills a process is tried less often too. */
async function claimDue({ pool }: PurgeDeps): Promise<DueBlob[]> {
  const rows = await pool.db.execute(sql`
    UPDATE ${blobs} SET deletions = deletions + 1, delete_at = clock_timestamp()
      + make_interval(secs => least(${PAUSE_SECONDS} * 2 ^ least(deletions, ${DOUBLINGS_MAX}), ${PAUSE_SECONDS_MAX}))
    WHERE id IN (
      SELECT id FROM ${blobs} WHERE discarded_at IS NOT NULL AND (delete_at IS NULL OR delete_at <= clock_timestamp())
      ORDER BY delete_at NULLS FIRST LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
    RETURNING id, key`);
  return v.parse(v.array(dueRow), [...rows]);
}

/** The bytes first, so that bytes never remain without a row. */
async function deleteBlob({ pool, store, log }: PurgeDeps, { id, key }: DueBlob): Promise<void> {
  try {
    await store.remove(key);
  } catch (error) {
    log.warn({ err: error, blobId: id }, "the storage did not delete a discarded file; it is asked again");
    const { cause, ...described } = describeError(error);
    const reason = (cause ?? described).message.slice(0, ERROR_LENGTH_MAX);
    await pool.db.update(blobs).set({ deleteError: reason }).where(eq(blobs.id, id));
    return;
  }
  await pool.db.delete(blobs).where(eq(blobs.id, id));
}
