import { Worker } from "node:worker_threads";
import { Semaphore } from "#db/pool/semaphore.ts";
import { Refusal } from "#src/base/refusal.ts";
import type { Drawing, Drawn } from "./draw-in-worker.ts";
import { type Scene, withBand } from "./lay-out-scene.ts";

// Decision: pictures are drawn by a thread of their own, one at a time, so that drawing never delays a call. It starts with the
// first picture and stays. What was drawn is kept by its scene, so a link that many look at is drawn once.

export type Picture = Uint8Array<ArrayBuffer>;

/** Changes when the fonts of pictures change, so that nobody keeps an old one. */
const FONTS = 3;
const WAITING_MAX = 500;
const RETRY_AFTER_S = 3;
/** A thread that takes longer is stuck, also on a machine that is busy. */
const DRAWN_WITHIN_MS = 60_000;
const KEPT_BYTES_MAX = 16 * 1_048_576;

const drawings = new Semaphore(1, { waitingMax: WAITING_MAX, whenFull: late });
/** By the scenes' names, the one that was used last at the end. */
const kept = new Map<string, Picture>();
let keptBytes = 0;
const underWay = new Map<string, Promise<Picture>>();

/** The name of the file of a scene's picture: equal scenes have the same one. */
export function fileOf(scene: Scene): string {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(scene)).digest("base64url");
  return `${FONTS}-${hash}.png`;
}

/** The picture of a scene that this process has drawn; null if it has none. */
export function drawnBefore(scene: Scene): Picture | null {
  const name = fileOf(scene);
  const known = kept.get(name);
  if (known === undefined) return null;
  kept.delete(name);
  kept.set(name, known);
  return known;
}

/**
 * The picture of a scene as PNG: a kept one, or a new one, however long it takes.
 * @param readLogo reads the logo of the brand for a new one.
 * @throws Refusal 503 when very many wait to be drawn.
 */
export async function drawPicture(scene: Scene, readLogo = noLogo): Promise<Picture> {
  const name = fileOf(scene);
  const known = drawnBefore(scene);
  if (known !== null) return known;
  const begun = underWay.get(name);
  if (begun !== undefined) return begun;
  const drawing = drawings
    .run(async () => draw(withBand(scene, await readLogo())))
    .then((picture) => keep(name, picture))
    .finally(() => underWay.delete(name));
  underWay.set(name, drawing);
  return drawing;
}

const noLogo = (): Promise<Uint8Array | null> => Promise.resolve(null);

function keep(name: string, picture: Picture): Picture {
  kept.set(name, picture);
  keptBytes += picture.byteLength;
  for (const [oldest, { byteLength }] of kept) {
    if (keptBytes <= KEPT_BYTES_MAX) break;
    kept.delete(oldest);
    keptBytes -= byteLength;
  }
  return picture;
}

let thread: Worker | null = null;
let lastId = 0;

/** Has the thread draw. A thread that fails or does not answer is replaced by the next picture's. */
async function draw(elements: Drawing["elements"]): Promise<Picture> {
  thread ??= startThread();
  const worker = thread;
  lastId += 1;
  const drawing: Drawing = { id: lastId, elements };
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  const receive = (drawn: Drawn) => {
    if (drawn.id !== drawing.id) return;
    if ("png" in drawn) resolve(drawn.png);
    else reject(new Error(`a picture could not be drawn: ${drawn.error}`));
  };
  const fail = (cause: unknown) => {
    if (thread === worker) thread = null;
    void worker.terminate();
    reject(new Error("the thread that draws has failed", { cause }));
  };
  const timer = setTimeout(() => fail(new Error("it has not answered")), DRAWN_WITHIN_MS);
  worker.on("message", receive).on("error", fail);
  worker.postMessage(drawing);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", receive).off("error", fail);
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL("./draw-in-worker.ts", import.meta.url));
  // It does not keep the process alive.
  worker.unref();
  return worker;
}

/** 503: the picture is not drawn in time. */
export function late(): Refusal {
  return new Refusal(503, "picture_late", "The picture takes longer than usual. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
