import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { chooseUpload, openPicture } from "#src/people/pictures/check-picture.ts";
import { newBlobKey } from "#src/people/storage/announce-upload.ts";
import { md5Of } from "#src/people/storage/store-upload.ts";
import { LOGO_SIZE, logoPath } from "./contract.ts";

export const LOGO_FILENAME = "logo.png";
const LOGO_TYPE = "image/png";

/** A logo that no session has yet, and the upload that it was made of; null for one that was drawn here. */
export type StoredLogo = { blobId: number; uploadId: number | null; path: string };

/**
 * Makes a logo of one of the viewer's uploads.
 * @throws Refusal 422 for an upload that is not the viewer's, does not exist or is no accepted picture.
 */
export async function storeLogo(
  deps: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number },
  signedId: string,
): Promise<StoredLogo> {
  const { blobId: uploadId, bytes } = await chooseUpload(deps, viewer, signedId);
  return { ...(await makeLogo(deps, bytes)), uploadId };
}

/**
 * Makes a logo of a picture: all of it, no larger than needed, without its metadata. It belongs to nobody, so it stays when the admin
 * who has sent it goes. One that is not attached within a day is deleted.
 */
export async function makeLogo(
  { pool, store }: Pick<Deps, "pool" | "store">,
  picture: Uint8Array,
): Promise<StoredLogo> {
  const bytes = await (
    await openPicture(picture)
  )
    .resize({ ...LOGO_SIZE, fit: "inside", withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const key = newBlobKey();
  const [made] = await pool.db
    .insert(blobs)
    .values({
      key,
      filename: LOGO_FILENAME,
      contentType: LOGO_TYPE,
      byteSize: bytes.byteLength,
      checksum: md5Of(bytes),
      picture: true,
    })
    .returning({ id: blobs.id });
  if (made === undefined) throw new Error("inserting a blob returned no row");
  await store.put(key, bytes, LOGO_TYPE);
  return { blobId: made.id, uploadId: null, path: logoPath(key) };
}

type LogoDeps = Pick<Deps, "pool" | "store">;

/** Serves a logo. @throws Refusal 404 for a key that none has. */
export async function showLogo(deps: LogoDeps, key: string): Promise<Response> {
  const bytes = await readLogo(deps, key);
  if (bytes === null) throw notFound();
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": LOGO_TYPE, "cache-control": "public, max-age=31536000, immutable" },
  });
}

/** The bytes of a logo; null if there is none with this key. */
export async function readLogo({ pool, store }: LogoDeps, key: string): Promise<Uint8Array | null> {
  const [logo] = await pool.db
    .select({ key: blobs.key })
    .from(blobs)
    .where(
      and(
        eq(blobs.key, key),
        eq(blobs.filename, LOGO_FILENAME),
        eq(blobs.picture, true),
        isNotNull(blobs.attachedAt),
        isNull(blobs.discardedAt),
      ),
    );
  return logo === undefined ? null : store.get(logo.key);
}
