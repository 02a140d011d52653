import type { Deps } from "#src/base/deps.ts";
import { within } from "#src/base/within.ts";
import { notModified } from "#src/http/finish-answer.ts";
import { site } from "#src/settings/contract.ts";
import { requireOpenSession } from "#src/show/sessions/find-session.ts";
import { drawnBefore, drawPicture, fileOf, late, type Picture } from "./draw-picture.ts";
import { previewOf, type Scene } from "./lay-out-scene.ts";
import { logoReader, orderMissing, readKept } from "./store-picture.ts";

/** Caches ask each time whether it is still there: a revoked link's picture is gone at once. */
const CACHE_CONTROL = "public, no-cache";
/** A storage that takes longer is not waited for: the picture is drawn again. */
const READ_WITHIN_MS = 2_000;
const DRAWN_WITHIN_MS = 10_000;

type PictureDeps = Pick<Deps, "env" | "pool" | "store" | "queues" | "log">;

/**
 * Serves the picture of a link: the stored one, or a new one.
 * @throws Refusal 503 if it is not drawn in time. It is drawn on, so a later request finds it.
 */
export async function showSharedPicture(
  deps: PictureDeps,
  { token, scene }: { token: string; scene: Scene },
  request: Request,
): Promise<Response> {
  return serve(request, scene, async () => {
    const known = drawnBefore(scene) ?? (await readInTime(deps, token, scene));
    if (known !== null) return known;
    // A read changes nothing: the worker draws it too, and stores it.
    await orderMissing(deps, token);
    return inTime(drawPicture(scene, logoReader(deps, scene)));
  });
}

/** Serves a picture that no link has, drawn at the first request of this process. */
export function showPicture(request: Request, scene: Scene): Promise<Response> {
  return serve(request, scene, () => inTime(drawPicture(scene)));
}

export async function showSessionPreview(
  deps: PictureDeps,
  slugOrId: string,
  request: Request,
): Promise<Response> {
  const scene = previewOf(await requireOpenSession(deps.pool.db, slugOrId, null));
  return serve(request, scene, () => inTime(drawPicture(scene, logoReader(deps, scene))));
}

async function serve(request: Request, scene: Scene, read: () => Promise<Picture>): Promise<Response> {
  const headers = new Headers({
    "content-type": "image/png",
    "content-disposition": `inline; filename="${site().slug}.png"`,
    "cache-control": CACHE_CONTROL,
    etag: `"${fileOf(scene).replace(/\.png$/, "")}"`,
  });
  return notModified(request, headers) ?? new Response(await read(), { headers });
}

/** A storage that fails costs nobody the picture. */
async function readInTime(deps: PictureDeps, token: string, scene: Scene): Promise<Picture | null> {
  const reading = readKept(deps, token, scene).catch((error: unknown) => {
    deps.log.warn({ err: error }, "the stored picture of a link could not be read, so it is drawn again");
    return null;
  });
  return Promise.race([reading, Bun.sleep(READ_WITHIN_MS).then(() => null)]);
}

const inTime = (drawing: Promise<Picture>): Promise<Picture> =>
  within(DRAWN_WITHIN_MS, drawing, () => Promise.reject(late()));
