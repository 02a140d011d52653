import { createHash } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { refuseSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { checkInput } from "#src/http/check-input.ts";
import { FILE_LIMIT, inTime } from "#src/http/read-body.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { announceUpload, newBlobKey, type BlobRow, signUpload } from "./announce-upload.ts";
import { NO_PICTURE, pictureTypeOf } from "./contract.ts";
import { directUploadBody } from "./schemas.ts";
import { readSignedId } from "./signed-id.ts";

type StoreDeps = Pick<Deps, "env" | "pool" | "store">;

/**
 * Stores the bytes of an announced upload. Sending the same bytes again succeeds.
 * @param token the signed id from the upload address of the announcement's answer.
 * @throws Refusal 403 where uploads are turned off; 404 for a token that is invalid, expired or for another purpose; 408 for bytes that take too long; 422 for
 *   bytes that do not match the announcement.
 */
export async function storeUpload(deps: StoreDeps, token: string, context: RequestContext): Promise<void> {
  const { request } = context;
  const id = readSignedId(deps.env.secretKey, token, { purpose: "upload", now: serverNow() });
  if (id === null) throw notFound();
  await refuseSwitchedOff(deps.pool.db, "uploads");
  const [blob] = await deps.pool.db
    .select()
    .from(blobs)
    .where(and(eq(blobs.id, id), isNull(blobs.discardedAt)));
  if (blob === undefined) throw notFound();
  const bytes = await inTime(context, FILE_LIMIT.bytes, readBytes(request, blob.byteSize));
  await storeBytes(deps, blob, bytes);
}

/**
 * Stores the bytes of a registered blob.
 * @throws Refusal 422 where size or checksum do not match the blob's row, and for what is no picture; 404 where the blob was discarded meanwhile.
 */
async function storeBytes(
  { pool, store }: Pick<Deps, "pool" | "store">,
  blob: Pick<BlobRow, "id" | "key" | "byteSize" | "checksum">,
  bytes: Uint8Array,
): Promise<void> {
  if (bytes.byteLength !== blob.byteSize) throw invalid({ byteSize: ["doesn't match"] });
  if (md5Of(bytes) !== blob.checksum) throw invalid({ checksum: ["doesn't match"] });
  const contentType = pictureTypeOf(bytes);
  if (contentType === null) throw invalid({ contentType: [NO_PICTURE] });
  await store.put(blob.key, bytes, contentType);
  const updated = await pool.db
    .update(blobs)
    .set({ contentType, storedAt: sql`coalesce(${blobs.storedAt}, clock_timestamp())` })
    .where(and(eq(blobs.id, blob.id), isNull(blobs.discardedAt)))
    .returning({ id: blobs.id });
  if (updated.length > 0) return;
  // The blob was discarded while its bytes were being sent.
  await store.remove(blob.key);
  throw notFound();
}

type Made = {
  filename: string;
  contentType: string;
  bytes: Uint8Array;
  metadata?: { width: number; height: number };
  /** Whose account's erasure deletes it; null: it belongs to nobody, so it stays when who has sent it goes. */
  uploadedById: number | null;
};

/** Stores a picture that the server has made. It is not attached yet: what nothing attaches, the sweep removes after a day. */
export async function storeMade(
  { pool, store }: Pick<Deps, "pool" | "store">,
  { bytes, ...file }: Made,
): Promise<{ id: number; key: string }> {
  const key = newBlobKey();
  const values = { ...file, key, byteSize: bytes.byteLength, checksum: md5Of(bytes), picture: true };
  const [row] = await pool.db.insert(blobs).values(values).returning({ id: blobs.id });
  if (row === undefined) throw new Error("inserting a blob returned no row");
  await store.put(key, bytes, file.contentType);
  return { ...row, key };
}

/** The MD5 in Base64, as the direct upload protocol sends it. */
export function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

/** Reads the body, and stops once it is longer than announced. */
async function readBytes(request: Request, byteSize: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk);
    read += chunk.byteLength;
    if (read > byteSize) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Stores a file from a submitted form like a direct upload.
 * @returns the signed id by which it can be attached.
 */
export async function storeFile(
  deps: Pick<Deps, "env" | "pool" | "redis" | "store">,
  authentication: Authentication,
  file: File,
): Promise<string> {
  const announcement = checkInput(directUploadBody, {
    filename: file.name || "file",
    byteSize: file.size,
    contentType: file.type || undefined,
    checksum: md5Of(await file.bytes()),
  });
  const blob = await announceUpload(deps, authentication, announcement);
  await storeBytes(deps, blob, await file.bytes());
  return signUpload(deps.env, blob.id, serverNow());
}
