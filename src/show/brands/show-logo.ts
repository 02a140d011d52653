import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { blobs } from "#db/schema/blobs.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import type { PictureKind } from "#src/people/pictures/store-picture.ts";
import { LOGO_SIZE } from "./contract.ts";

type LogoDeps = Pick<Deps, "pool" | "store">;

/** How a logo is made. It belongs to nobody. */
export const logoKind: PictureKind = { filename: "logo.png", contentType: "image/png", size: LOGO_SIZE };

export async function showLogo(deps: LogoDeps, key: string): Promise<Response> {
  const bytes = await readLogo(deps, key);
  if (bytes === null) throw notFound();
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": logoKind.contentType, "cache-control": "public, max-age=31536000, immutable" },
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
        eq(blobs.filename, logoKind.filename),
        eq(blobs.picture, true),
        isNotNull(blobs.attachedAt),
        isNull(blobs.discardedAt),
      ),
    );
  return logo === undefined ? null : store.get(logo.key);
}
