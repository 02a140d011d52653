import { eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { storeMade } from "#src/people/storage/store-upload.ts";
import { openPicture, chooseUpload } from "./check-picture.ts";

/** How the pictures of one kind are made: all of the picture, no larger than this, without its metadata. */
export type PictureKind = {
  filename: string;
  contentType: "image/png" | "image/webp";
  size: { width: number; height: number };
};

/** A picture that nothing has yet, and the upload that it was made of; null for one that was drawn here. */
export type StoredPicture = {
  blobId: number;
  uploadId: number | null;
  key: string;
  width: number;
  height: number;
};

type StoreDeps = Pick<Deps, "pool" | "store">;
const QUALITY = 82;

/**
 * Makes a picture of one of the viewer's uploads.
 * @param field how its refusal names it.
 */
export async function storeUpload(
  deps: StoreDeps & Pick<Deps, "env">,
  kind: PictureKind,
  upload: { viewer: { id: number }; signedId: string; field: string; ownerId?: number },
): Promise<StoredPicture> {
  try {
    const { blobId: uploadId, bytes } = await chooseUpload(deps, upload.viewer, upload.signedId);
    return { ...(await storePicture(deps, kind, { bytes, ownerId: upload.ownerId })), uploadId };
  } catch (error) {
    const told = error instanceof Refusal ? error.details.errors?.["avatar"] : undefined;
    if (told === undefined) throw error;
    throw invalid({ [upload.field]: told });
  }
}

/**
 * Makes a picture and stores it. One that is not attached within a day is deleted.
 * @param ownerId whose account's erasure deletes it; nobody's without one.
 */
export async function storePicture(
  deps: StoreDeps,
  { filename, contentType, size }: PictureKind,
  { bytes: sent, ownerId }: { bytes: Uint8Array; ownerId?: number | undefined },
): Promise<StoredPicture> {
  const picture = (await openPicture(sent)).resize({ ...size, fit: "inside", withoutEnlargement: true });
  const encoded =
    contentType === "image/png" ? picture.png({ compressionLevel: 9 }) : picture.webp({ quality: QUALITY });
  const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const file = { filename, contentType, bytes, metadata: { width, height }, uploadedById: ownerId ?? null };
  const { id: blobId, key } = await storeMade(deps, file);
  return { blobId, uploadId: null, key, width, height };
}

/** Attaches a made picture, in the transaction that stores what has it. Its upload goes. */
export async function attachPicture(
  tx: Queryable,
  { blobId, uploadId }: Pick<StoredPicture, "blobId" | "uploadId">,
): Promise<void> {
  const now = sql`clock_timestamp()`;
  await tx.update(blobs).set({ storedAt: now, attachedAt: now }).where(eq(blobs.id, blobId));
  if (uploadId !== null) await discardBlobs(tx, [uploadId]);
}
