import { notFound } from "#src/base/refusal.ts";
import { notModified } from "#src/http/not-modified.ts";
import { idIn } from "#src/http/read-id.ts";
import { drawFace } from "#src/people/avatars/draw-face.ts";

/** A day: a face keeps its address when its drawing changes. */
const CACHE_CONTROL = "public, max-age=86400";

/** Serves a drawn face. @throws Refusal 404 for a number that none has. */
export function showFace(number: string, request: Request): Response {
  const drawing = drawFace(idIn(number) ?? 0);
  if (drawing === null) throw notFound();
  const headers = new Headers({
    "content-type": "image/svg+xml",
    "cache-control": CACHE_CONTROL,
    etag: `"${Bun.hash(drawing).toString(36)}"`,
  });
  return notModified(request, headers) ?? new Response(drawing, { headers });
}
