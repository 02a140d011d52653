import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { Authentication } from "#src/sign-ins/authenticate.ts";
import { requireAccount } from "#src/sign-ins/require-viewer.ts";
import type { DirectUploadBody } from "./schemas.ts";

/** What nothing holds is kept for so long. */
export const UNATTACHED_HOURS_MAX = 24;
/** So many uploads of one person may lie about unattached. */
const UNATTACHED_MAX = 50;
const RETRY_AFTER_S = 3_600;
const KEY_BYTES = 20;

export type BlobRow = typeof blobs.$inferSelect;

/**
 * Notes an upload to come; its bytes are still awaited.
 * Refuses whoever has no account (401, 403), and whoever uploads too often or has left too many uploads lying (429).
 */
export async function announceUpload(
  deps: Pick<Deps, "env" | "pool" | "redis">,
  visit: Authentication,
  { filename, byteSize, checksum, contentType }: Omit<DirectUploadBody, "metadata">,
): Promise<BlobRow> {
  const uploader = requireAccount(visit);
  await limitRate(deps, rates.upload, visit);
  const { pool } = deps;
  const mine = and(eq(blobs.uploadedById, uploader.id), isNull(blobs.attachedAt), isNull(blobs.discardedAt));
  if ((await pool.db.$count(blobs, and(mine, isYoung))) >= UNATTACHED_MAX) throw tooMany();
  const [row] = await pool.db
    .insert(blobs)
    .values({
      key: newKey(),
      filename: plainName(filename),
      byteSize,
      checksum,
      contentType,
      uploadedById: uploader.id,
    })
    .returning();
  if (row === undefined) throw new Error("A file was noted, but no row came back");
  return row;
}

/** A name for bytes that nobody can guess: 40 letters and digits. */
export function newKey(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

const isYoung = sql`${blobs.createdAt} > clock_timestamp() - make_interval(hours => ${UNATTACHED_HOURS_MAX})`;

/** A file's own name, without folders and without what no name holds. */
function plainName(filename: string): string {
  const [last = ""] = filename.split(/[/\\]/).slice(-1);
  const name = last.replaceAll(/[\p{Cc}"]/gu, "_").trim();
  return name === "" || /^\.+$/.test(name) ? "file" : name;
}

function tooMany(): Refusal {
  return new Refusal(429, "too_many", "Too many uploads. Try again in an hour.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
