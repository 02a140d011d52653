import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readSignedId } from "#src/people/storage/signed-id.ts";
import { checkPicture, type PictureSize } from "./check-picture.ts";

/** A checked upload. */
export type ChosenUpload = { blobId: number; bytes: Uint8Array; size: PictureSize };

/**
 * Checks one of the viewer's uploads before it is used.
 * @throws Refusal 422 for an upload that is not the viewer's, does not exist or is no accepted picture.
 */
export async function chooseUpload(
  { env, pool, store }: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number },
  signedId: string,
): Promise<ChosenUpload> {
  const blobId = readSignedId(env.secretKey, signedId, { purpose: "blob", now: serverNow() });
  if (blobId === null) throw unknownUpload();
  const [blob] = await pool.db.select().from(blobs).where(isUnattached(blobId, viewer));
  const bytes = blob === undefined ? null : await store.get(blob.key);
  if (blob === undefined || bytes === null) throw unknownUpload();
  return { blobId, bytes, size: await checkPicture(bytes) };
}

/** Matches a complete upload of this user that nothing uses. */
export function isUnattached(blobId: number, viewer: { id: number }) {
  return and(
    eq(blobs.id, blobId),
    eq(blobs.uploadedById, viewer.id),
    isNotNull(blobs.storedAt),
    isNull(blobs.attachedAt),
    isNull(blobs.discardedAt),
  );
}

/** Refuses an upload that cannot be used (any more). */
export const unknownUpload = () =>
  invalid({ avatar: ["is invalid"] }, { detail: "Choose the picture again." });
