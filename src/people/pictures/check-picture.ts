import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { default as SharpFactory, Sharp } from "sharp";
import { Semaphore } from "#db/pool/semaphore.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, type Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { PICTURE_SIDE_MAX } from "#src/people/avatars/contract.ts";
import { NO_PICTURE, pictureTypeOf } from "#src/people/storage/contract.ts";
import { readSignedId } from "#src/people/storage/signed-id.ts";

const PIXELS_MAX = 50_000_000;

/** Decoding can take a whole core and a few hundred megabytes, so pictures are decoded one at a time. */
const decoding = new Semaphore(1);

/** Width and height in pixels after the rotation that the camera recorded. */
export type PictureSize = { width: number; height: number };

/**
 * Checks that an upload is an accepted picture. Its bytes decide, not its declared type.
 * @throws Refusal 422 for everything but an undamaged PNG, JPEG, WebP or GIF within the pixel limits.
 */
async function checkPicture(bytes: Uint8Array): Promise<PictureSize> {
  if (pictureTypeOf(bytes) === null) throw invalidAvatar(NO_PICTURE);
  const size = await readSize(bytes);
  if (Math.max(size.width, size.height) > PICTURE_SIDE_MAX || size.width * size.height > PIXELS_MAX) {
    throw invalidAvatar("has too many pixels (maximum is 10,000 a side and 50 million in all)");
  }
  await decoding.run(() => decode(bytes));
  return size;
}

/** Opens a picture: its first frame, rotated as the camera recorded. */
export async function openPicture(bytes: Uint8Array): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: "error" }).autoOrient();
}

async function readSize(bytes: Uint8Array): Promise<PictureSize> {
  const sharp = await loadSharp();
  try {
    // Reads the header only, so that the size of a huge picture is known without decoding it.
    return (await sharp(bytes, { limitInputPixels: false }).metadata()).autoOrient;
  } catch {
    throw damaged();
  }
}

/** Decodes all of it: a truncated picture still has a valid header. */
async function decode(bytes: Uint8Array): Promise<void> {
  const picture = await openPicture(bytes);
  try {
    await picture.resize(1, 1).raw().toBuffer();
  } catch {
    throw damaged();
  }
}

const invalidAvatar = (text: string): Refusal => invalid({ avatar: [text] });
const damaged = () => invalidAvatar("cannot be read: the file is damaged");

let loadingSharp: Promise<typeof SharpFactory> | undefined;

/** The image library. Most processes never need it, so the first picture loads it. */
function loadSharp(): Promise<typeof SharpFactory> {
  loadingSharp ??= importSharp();
  return loadingSharp;
}

async function importSharp(): Promise<typeof SharpFactory> {
  const { default: sharp } = await import("sharp");
  // Pictures come one at a time and never twice, so saving memory matters more than speed.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/**
 * Checks one of the viewer's uploads before it is used.
 * @throws Refusal 422 for an upload that is not the viewer's, does not exist or is no accepted picture.
 */
export async function chooseUpload(
  { env, pool, store }: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number },
  signedId: string,
): Promise<{ blobId: number; bytes: Uint8Array; size: PictureSize }> {
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
