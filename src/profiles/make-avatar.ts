import { and, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import type { AvatarSize, StoredAvatar } from "#src/sign-ins/present-avatar.ts";
import { newKey } from "#src/storage/announce-upload.ts";
import { discardBlobs, purgeBlobs } from "#src/storage/discard-blobs.ts";
import { md5Of } from "#src/storage/store-upload.ts";
import { lockAvatar, shownOf, touched } from "./attach-avatar.ts";
import { AVATAR_TYPE, encodeAvatar } from "./encode-avatar.ts";
import { cropSchema } from "./schemas.ts";
import { signPictures } from "./sign-pictures.ts";

type MakeDeps = Pick<Deps, "env" | "pool" | "store" | "log" | "notifyRelay">;
type Order = { userId: number; blobId: number };
type Made = { sizes: Record<AvatarSize, number>; ids: number[] };

const uploadMetadata = v.object({ crop: cropSchema });

/**
 * Makes the sizes of the picture that a user has chosen, shows them in place of the old ones and removes what is not needed
 * any more: the upload with all that it tells, and the sizes before. Does nothing where the choice was another in the
 * meantime or is made already, so that it may run again at any time.
 */
export async function makeAvatar(deps: MakeDeps, order: Order): Promise<void> {
  const upload = await findChosen(deps, order);
  if (upload === undefined) return;
  const bytes = await deps.store.get(upload.key);
  if (bytes === null) return giveUp(deps, order);
  const { crop } = v.parse(uploadMetadata, upload.metadata);
  const made = await keepSizes(deps, order, await encodeAvatar(bytes, crop));
  await inTransaction(deps.pool.db, (tx) => showSizes(deps, tx, order, made));
  deps.notifyRelay();
  await purgeBlobs(deps);
}

async function findChosen({ pool }: MakeDeps, { userId, blobId }: Order) {
  const [upload] = await pool.db
    .select({ key: blobs.key, metadata: blobs.metadata })
    .from(users)
    .innerJoin(blobs, eq(blobs.id, users.avatarBlobId))
    .where(and(eq(users.id, userId), eq(blobs.id, blobId), eq(blobs.picture, false)));
  return upload;
}

/** Nothing can be made of an upload whose bytes are lost: what was shown before stays. */
async function giveUp({ pool, log }: MakeDeps, order: Order): Promise<void> {
  log.error(order, "the bytes of a chosen picture are gone");
  await inTransaction(pool.db, async (tx) => {
    const { avatarBlobId, shown } = await lockAvatar(tx, order.userId);
    if (avatarBlobId !== order.blobId) return;
    const before = shown?.blobIds?.original ?? null;
    await tx
      .update(users)
      .set({ avatarBlobId: before, updatedAt: touched })
      .where(eq(users.id, order.userId));
    await discardBlobs(tx, [order.blobId]);
  });
}

/** Keeps the sizes as files that nothing holds yet: should we end here, they go after a day. */
async function keepSizes(
  { pool, store }: MakeDeps,
  { userId }: Order,
  pictures: Record<AvatarSize, Uint8Array>,
): Promise<Made> {
  const sizes = { thumb: 0, small: 0, medium: 0, large: 0, original: 0 };
  for (const size of ["thumb", "small", "medium", "large", "original"] as const) {
    const bytes = pictures[size];
    const key = newKey();
    const [row] = await pool.db
      .insert(blobs)
      .values({
        key,
        filename: `${size}.webp`,
        contentType: AVATAR_TYPE,
        byteSize: bytes.byteLength,
        checksum: md5Of(bytes),
        uploadedById: userId,
        picture: true,
      })
      .returning({ id: blobs.id });
    if (row === undefined) throw new Error("A size was noted, but no row came back");
    await store.put(key, bytes, AVATAR_TYPE);
    sizes[size] = row.id;
  }
  return { sizes, ids: Object.values(sizes) };
}

async function showSizes({ env }: MakeDeps, tx: Transaction, order: Order, made: Made): Promise<void> {
  const user = await lockAvatar(tx, order.userId);
  if (user.avatarBlobId !== order.blobId) return discardBlobs(tx, made.ids);
  const avatar: StoredAvatar = {
    ...signPictures(env, made.sizes),
    revision: (user.shown?.revision ?? 0) + 1,
    blobIds: made.sizes,
  };
  await tx
    .update(users)
    .set({ avatarBlobId: made.sizes.original, avatar, updatedAt: touched })
    .where(eq(users.id, order.userId));
  await tx
    .update(blobs)
    .set({ storedAt: sql`clock_timestamp()`, attachedAt: sql`clock_timestamp()` })
    .where(inArray(blobs.id, made.ids));
  await discardBlobs(tx, [order.blobId, ...shownOf(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: order.userId });
}
