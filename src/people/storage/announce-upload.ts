import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { Refusal } from "#src/base/refusal.ts";
import { refuseSwitchedOff } from "#src/base/switches/refuse-switched-off.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { requireAccount } from "#src/people/sign-ins/authorize.ts";
import type { Env } from "#src/settings/env.ts";
import type { DirectUploadAnswer, DirectUploadBody } from "./schemas.ts";
import { signId } from "./signed-id.ts";

/** Uploads that nothing attaches are deleted after this time. */
export const UNATTACHED_HOURS_MAX = 24;
const UNATTACHED_MAX = 50;
const RETRY_AFTER_S = 3_600;
const KEY_BYTES = 20;

export type BlobRow = typeof blobs.$inferSelect;

/**
 * Registers an upload whose bytes the client sends next.
 *
 * The protocol is that of Active Storage's public client, but the upload address is always one of this server, even where
 * files end in a bucket: size, type and checksum are checked in one place, a bucket needs no CORS rules, and the pages'
 * Content-Security-Policy names no other host.
 * @throws Refusal 401 signed out, 403 for a guest and where uploads are turned off, 429 for too many uploads in a short time or too many unattached ones.
 */
export async function announceUpload(
  deps: Pick<Deps, "env" | "pool" | "redis">,
  authentication: Authentication,
  announced: Announced,
  keyed: MaybeKeyed = null,
): Promise<BlobRow> {
  const { id: uploaderId } = requireAccount(authentication);
  await refuseSwitchedOff(deps.pool.db, "uploads");
  await limitRate(deps, rates.upload, authentication);
  return inTransaction(deps.pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, () => insertBlob(tx, uploaderId, announced));
    return stillThere(await tx.select().from(blobs).where(eq(blobs.id, id)));
  });
}

type Announced = Omit<DirectUploadBody, "metadata">;

async function insertBlob(
  tx: Transaction,
  uploadedById: number,
  { filename, byteSize, checksum, contentType }: Announced,
): Promise<{ id: number }> {
  const ownUnattached = and(
    eq(blobs.uploadedById, uploadedById),
    isNull(blobs.attachedAt),
    isNull(blobs.discardedAt),
  );
  if ((await tx.$count(blobs, and(ownUnattached, isRecent))) >= UNATTACHED_MAX) throw tooMany();
  const [row] = await tx
    .insert(blobs)
    .values({
      key: newBlobKey(),
      filename: safeFilename(filename),
      byteSize,
      checksum,
      contentType,
      uploadedById,
    })
    .returning({ id: blobs.id });
  if (row === undefined) throw new Error("inserting a blob returned no row");
  return row;
}

/** A random storage key that cannot be guessed: 40 hex digits. */
export function newBlobKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

const isRecent = sql`${blobs.createdAt} > clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`;

/** The last part of the name, with control characters and quotes replaced. Example: "C:\\pics\\me.png" becomes "me.png". */
function safeFilename(filename: string): string {
  const [last = ""] = filename.split(/[/\\]/).slice(-1);
  const name = last.replaceAll(/[\p{Cc}"]/gu, "_").trim();
  return name === "" || /^\.+$/.test(name) ? "file" : name;
}

function tooMany(): Refusal {
  return new Refusal(429, "too_many", "Too many uploads. Try again in an hour.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}

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
