import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import type { BlobRow } from "./announce-upload.ts";
import { readSignedId } from "./signed-id.ts";

const FOREVER = "public, max-age=31536000, immutable";

/**
 * Serves a file. A picture that the server encoded itself is displayed inline and cacheable forever. Anything else was
 * uploaded by a user and is only offered as a download of type application/octet-stream, so no browser renders it.
 * @throws Refusal 404 for a signed id that is invalid, expired or for another purpose, and for a missing file.
 */
export async function showBlob(
  deps: Pick<Deps, "env" | "pool" | "store">,
  signedId: string,
): Promise<Response> {
  const id = readSignedId(deps.env.secretKey, signedId, { purpose: "blob", now: serverNow() });
  if (id === null) throw notFound();
  const [blob] = await deps.pool.db
    .select()
    .from(blobs)
    .where(and(eq(blobs.id, id), isNotNull(blobs.storedAt), isNull(blobs.discardedAt)));
  if (blob === undefined) throw notFound();
  const bytes = await deps.store.get(blob.key);
  if (bytes === null) throw notFound();
  return new Response(new Uint8Array(bytes), { headers: headersFor(blob) });
}

function headersFor({ picture, contentType, filename }: BlobRow): Record<string, string> {
  const plain = filename.replaceAll(/[^\w.-]/g, "_");
  const names = `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename).replaceAll("'", "%27")}`;
  return picture
    ? {
        "content-type": contentType,
        "content-disposition": `inline; ${names}`,
        "cache-control": FOREVER,
      }
    : {
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; ${names}`,
        "cache-control": "private, no-store",
      };
}
