import { createHash } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import type { BlobRow } from "./announce-upload.ts";
import { readSignedId } from "./signed-id.ts";

type StoreDeps = Pick<Deps, "env" | "pool" | "store">;

/**
 * Takes the bytes of an announced upload.
 * @param token from the announcement's own answer.
 * Refuses a token that is changed, too old or for something else (404), and bytes that are not the ones announced (422).
 * The same bytes may come again.
 */
export async function storeUpload(deps: StoreDeps, token: string, request: Request): Promise<void> {
  const id = readSignedId(deps.env.secretKey, token, { purpose: "upload", now: new Date() });
  if (id === null) throw notFound();
  const [blob] = await deps.pool.db
    .select()
    .from(blobs)
    .where(and(eq(blobs.id, id), isNull(blobs.discardedAt)));
  if (blob === undefined) throw notFound();
  if (typeOf(request) !== blob.contentType) throw invalid({ contentType: ["doesn't match"] });
  await keepBytes(deps, blob, await readBytes(request, blob.byteSize));
}

/** Keeps the bytes of a file that is noted. Refuses what is not what was noted: 422. */
export async function keepBytes(
  { pool, store }: Pick<Deps, "pool" | "store">,
  blob: Pick<BlobRow, "id" | "key" | "byteSize" | "checksum" | "contentType">,
  bytes: Uint8Array,
): Promise<void> {
  if (bytes.byteLength !== blob.byteSize) throw invalid({ byteSize: ["doesn't match"] });
  if (md5Of(bytes) !== blob.checksum) throw invalid({ checksum: ["doesn't match"] });
  await store.put(blob.key, bytes, blob.contentType);
  const kept = await pool.db
    .update(blobs)
    .set({ storedAt: sql`coalesce(${blobs.storedAt}, clock_timestamp())` })
    .where(and(eq(blobs.id, blob.id), isNull(blobs.discardedAt)))
    .returning({ id: blobs.id });
  if (kept.length > 0) return;
  // It was given up while its bytes were on their way.
  await store.remove(blob.key);
  throw notFound();
}

/** Base64 of the MD5, as the direct upload protocol sends it. */
export function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

function typeOf(request: Request): string {
  return (request.headers.get("content-type") ?? "").trim().toLowerCase();
}

/** The body, read no further than one byte beyond what was announced. */
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
