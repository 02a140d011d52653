import type { Env } from "#src/settings/env.ts";
import { type BlobRow, UNATTACHED_HOURS_MAX } from "./announce-upload.ts";
import type { DirectUploadAnswer } from "./schemas.ts";
import { signId } from "./signed-id.ts";

const UPLOAD_EXPIRY_MS = 10 * 60_000;
const UNATTACHED_MS_MAX = UNATTACHED_HOURS_MAX * 3_600_000;

/**
 * Presents an announced upload: the address for its bytes, and the signed id by which it can be attached.
 * @param origin the origin of the upload address, "https://called-it.example".
 */
export function presentDirectUpload(
  { secretKey }: Pick<Env, "secretKey">,
  { id, key, filename, checksum, contentType, byteSize, ...row }: BlobRow,
  { origin, now }: { origin: string; now: Date },
): DirectUploadAnswer {
  const createdAt = row.createdAt.toISOString();
  const signedId = signUpload({ secretKey }, id, now);
  const expiresAt = new Date(now.getTime() + UPLOAD_EXPIRY_MS);
  const directUpload = {
    url: `${origin}/api/v1/storage/uploads/${signId(secretKey, { id, purpose: "upload", expiresAt })}`,
    headers: { "Content-Type": contentType },
  };
  // First the keys of Active Storage's client, then the same in camelCase, as in all other answers.
  return {
    id,
    key,
    filename,
    checksum,
    content_type: contentType,
    byte_size: byteSize,
    created_at: createdAt,
    signed_id: signedId,
    direct_upload: directUpload,
    contentType,
    byteSize,
    createdAt,
    signedId,
    directUpload,
  };
}

/** The signed id by which an upload can be attached and read. It expires when an unattached upload is deleted. */
export function signUpload({ secretKey }: Pick<Env, "secretKey">, blobId: number, now: Date): string {
  const expiresAt = new Date(now.getTime() + UNATTACHED_MS_MAX);
  return signId(secretKey, { id: blobId, purpose: "blob", expiresAt });
}
