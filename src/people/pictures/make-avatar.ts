import { and, eq, gt, inArray, isNotNull, lt, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { notPaused, tryRows } from "#src/base/try-rows.ts";
import type { StoredAvatar } from "#src/people/avatars/present-avatar.ts";
import { cropSchema } from "#src/people/avatars/schemas.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { keyFingerprint, signId } from "#src/people/storage/signed-id.ts";
import { storeMade } from "#src/people/storage/store-upload.ts";
import type { Env } from "#src/settings/env.ts";
import { currentBlobIds, databaseNow, lockAvatar } from "./attach-avatar.ts";
import { AVATAR_TYPE, encodeAvatar, type EncodedSize } from "./encode-avatar.ts";

type MakeDeps = Pick<Deps, "env" | "pool" | "store" | "log" | "notifyRelay">;
type AvatarJob = { userId: number; blobId: number };

/** What `blobs.metadata` holds of a picture that a user has chosen. */
export const uploadMetadata = v.object({ crop: v.object(cropSchema.entries) });

/** Younger uploads are left to their job. */
const PENDING_SECONDS_MIN = 10;
const BATCH_SIZE = 20;

/**
 * Makes the sizes of the picture that a user has chosen, replaces the visible ones and discards what is no longer needed:
 * the upload (with its metadata) and the previous sizes. Only re-encoded pictures remain stored. Does nothing if the
 * user has chosen another picture since or the sizes exist, so it is safe to run again.
 */
export async function makeAvatar(deps: MakeDeps, job: AvatarJob): Promise<void> {
  const upload = await findPendingUpload(deps, job);
  if (upload === undefined) return;
  const bytes = await deps.store.get(upload.key);
  if (bytes === null) return abandonUpload(deps, job);
  const { crop } = v.parse(uploadMetadata, upload.metadata);
  const blobIds = await storeSizes(deps, job, await encodeAvatar(bytes, crop));
  await inTransaction(deps.pool.db, (tx) => showSizes(deps, tx, { job, blobIds }));
  deps.notifyRelay();
}

async function findPendingUpload({ pool }: MakeDeps, { userId, blobId }: AvatarJob) {
  const [upload] = await pool.db
    .select({ key: blobs.key, metadata: blobs.metadata })
    .from(users)
    .innerJoin(blobs, eq(blobs.id, users.avatarBlobId))
    .where(and(eq(users.id, userId), eq(blobs.id, blobId), eq(blobs.picture, false)));
  return upload;
}

/** The bytes of the upload are lost: the avatar from before stays. */
async function abandonUpload({ pool, log }: MakeDeps, job: AvatarJob): Promise<void> {
  log.error(job, "the bytes of a chosen picture are missing");
  await inTransaction(pool.db, async (tx) => {
    const { avatarBlobId, avatar } = await lockAvatar(tx, job.userId);
    if (avatarBlobId !== job.blobId) return;
    const previousBlobId = avatar?.blobIds?.["original"] ?? null;
    await tx
      .update(users)
      .set({ avatarBlobId: previousBlobId, updatedAt: databaseNow })
      .where(eq(users.id, job.userId));
    await discardBlobs(tx, [job.blobId]);
  });
}

/** Stores the sizes as blobs that are not attached yet. */
async function storeSizes(
  deps: MakeDeps,
  { userId: uploadedById }: AvatarJob,
  pictures: readonly EncodedSize[],
): Promise<Record<string, number>> {
  const blobIds: Record<string, number> = {};
  for (const { size, bytes } of pictures) {
    const file = { filename: `${size}.webp`, contentType: AVATAR_TYPE, bytes, uploadedById };
    blobIds[size] = (await storeMade(deps, file)).id;
  }
  return blobIds;
}

async function showSizes(
  { env }: MakeDeps,
  tx: Transaction,
  { job, blobIds }: { job: AvatarJob; blobIds: Record<string, number> },
): Promise<void> {
  const user = await lockAvatar(tx, job.userId);
  const ids = Object.values(blobIds);
  if (user.avatarBlobId !== job.blobId) return discardBlobs(tx, ids);
  const avatar: StoredAvatar = {
    ...signPictures(env, blobIds),
    revision: (user.avatar?.revision ?? 0) + 1,
    blobIds,
  };
  await tx
    .update(users)
    .set({ avatarBlobId: blobIds["original"] ?? null, avatar, updatedAt: databaseNow })
    .where(eq(users.id, job.userId));
  await tx
    .update(blobs)
    .set({ storedAt: sql`clock_timestamp()`, attachedAt: sql`clock_timestamp()` })
    .where(inArray(blobs.id, ids));
  await discardBlobs(tx, [job.blobId, ...currentBlobIds(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: job.userId });
}

type SweepDeps = Pick<Deps, "env" | "pool" | "store" | "log" | "notifyRelay">;

/** Makes the sizes that no job has made, and signs addresses again that were signed with a previous secret key. */
export async function sweepAvatars(deps: SweepDeps): Promise<void> {
  const pending = await findPending(deps);
  await tryRows(deps, pending, (job) => makeAvatar(deps, job), {
    kind: "picture",
    idOf: ({ blobId }) => blobId,
  });
  await renewSignatures(deps);
}

function findPending({ pool }: SweepDeps) {
  return pool.db
    .select({ userId: users.id, blobId: blobs.id })
    .from(users)
    .innerJoin(blobs, eq(blobs.id, users.avatarBlobId))
    .where(
      and(
        sql`NOT ${blobs.picture}`,
        notPaused("picture", blobs.id),
        lt(blobs.attachedAt, sql`clock_timestamp() - make_interval(secs => ${PENDING_SECONDS_MIN})`),
      ),
    )
    .limit(BATCH_SIZE);
}

async function renewSignatures({ env, pool }: SweepDeps): Promise<void> {
  const signer = sql`(${users.avatar} ->> 'signer')`;
  const key = keyFingerprint(env.secretKey);
  const outdated = await pool.db
    .select({ id: users.id })
    .from(users)
    .where(
      // Written as two ranges of the index users_avatar_signer: for "unequal" it would read all users.
      and(isNotNull(users.avatar), or(lt(signer, key), gt(signer, key))),
    )
    .limit(BATCH_SIZE);
  for (const { id } of outdated) {
    await inTransaction(pool.db, async (tx) => {
      const { avatar } = await lockAvatar(tx, id);
      if (avatar === null) return;
      const signed = avatar.blobIds === null ? { signer: key } : signPictures(env, avatar.blobIds);
      await tx
        .update(users)
        .set({ avatar: { ...avatar, ...signed } })
        .where(eq(users.id, id));
    });
  }
}

/**
 * Makes the permanent public addresses of the sizes. They are stored in the user's row, so that a list of a hundred users
 * needs neither a join nor a signature per size. They are signed with the secret key; after a change of the key the
 * sweep signs them again (`signer` names the key).
 */
function signPictures(
  { secretKey }: Pick<Env, "secretKey">,
  blobIds: Readonly<Record<string, number>>,
): Pick<StoredAvatar, "signer" | "pictures"> {
  const addressed = Object.entries(blobIds).map(([size, id]) => {
    const signedId = signId(secretKey, { id, purpose: "blob", expiresAt: null });
    return [size, `/api/v1/storage/blobs/${signedId}/${size}.webp`] as const;
  });
  return { signer: keyFingerprint(secretKey), pictures: Object.fromEntries(addressed) };
}
