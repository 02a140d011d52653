import { notModified } from "#src/http/not-modified.ts";
import { drawPicture, nameOf } from "./draw-picture.ts";
import type { Scene } from "./scene.ts";

/** Changes when the layout of pictures changes, so that nobody keeps an old one. */
const LAYOUT = 1;
/** Caches ask each time whether it is still there: a revoked link's picture is gone at once. */
const CACHE_CONTROL = "public, no-cache";

/**
 * Serves the picture of a scene.
 * @throws Refusal 503 when too many pictures wait to be drawn.
 */
export async function showPicture(scene: Scene, request: Request): Promise<Response> {
  const headers = new Headers({
    "content-type": "image/png",
    "content-disposition": 'inline; filename="called-it.png"',
    "cache-control": CACHE_CONTROL,
    etag: `"${LAYOUT}-${nameOf(scene)}"`,
  });
  return notModified(request, headers) ?? new Response(await drawPicture(scene), { headers });
}
