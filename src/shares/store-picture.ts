import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { shares } from "#db/schema/shares.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { storeMade } from "#src/people/storage/store-upload.ts";
import { logoKeyIn } from "#src/show/brands/contract.ts";
import { readLogo } from "#src/show/brands/show-logo.ts";
import { isLive } from "./create-share.ts";
import { drawPicture, fileOf, type Picture } from "./draw-picture.ts";
import { findShared } from "./find-shared.ts";
import { type Scene, sceneOf } from "./lay-out-scene.ts";

// Decision: the worker draws a link's picture when the link is made, and stores it like an upload of its owner: what reads
// links as cards asks once and waits seconds. Its file is named for what it shows, so a corrected result is drawn again when somebody
// asks, and the erasure of the owner's account deletes it.

type PictureDeps = Pick<Deps, "env" | "pool" | "store" | "log">;

/** Draws and stores the picture of a link, unless there is one of what it shows. Does nothing for a link that is over. */
export async function makePicture(deps: PictureDeps, shareId: number): Promise<void> {
  const [share] = await deps.pool.db
    .select({ token: shares.token })
    .from(shares)
    .where(and(eq(shares.id, shareId), isLive));
  if (share === undefined) return;
  const scene = await findScene(deps, share.token);
  if (scene === null || (await findKept(deps, share.token))?.filename === fileOf(scene)) return;
  await storePicture(deps, share.token, {
    scene,
    picture: await drawPicture(scene, logoReader(deps, scene)),
  });
}

/** Reads the logo of a scene's brand; a storage that fails costs the picture its logo and no more. */
export function logoReader(
  deps: Pick<Deps, "pool" | "store" | "log">,
  { brand }: Scene,
): () => Promise<Uint8Array | null> {
  return async () => {
    if (brand?.logo === undefined) return null;
    return readLogo(deps, logoKeyIn(brand.logo)).catch((error: unknown) => {
      deps.log.warn({ err: error }, "a logo could not be read, so a picture is drawn without it");
      return null;
    });
  };
}

/** The stored picture of a link, if it shows this; null otherwise, and if its bytes are lost. */
export async function readKept(deps: PictureDeps, token: string, scene: Scene): Promise<Picture | null> {
  const kept = await findKept(deps, token);
  if (kept?.filename !== fileOf(scene)) return null;
  const bytes = await deps.store.get(kept.key);
  return bytes === null ? null : new Uint8Array(bytes);
}

/** Stores a link's picture, and discards the one before. If the process dies meanwhile, the sweep removes it after a day. */
export async function storePicture(
  deps: PictureDeps,
  token: string,
  { scene, picture }: { scene: Scene; picture: Picture },
): Promise<void> {
  const { db } = deps.pool;
  const [share] = await db.select().from(shares).where(eq(shares.token, token));
  if (share === undefined) return;
  const made = { filename: fileOf(scene), contentType: "image/png", bytes: picture };
  const { id: blobId } = await storeMade(deps, { ...made, uploadedById: share.userId });
  await inTransaction(db, (tx) => attachPicture(tx, { shareId: share.id, blobId }));
}

async function attachPicture(
  tx: Transaction,
  { shareId, blobId }: { shareId: number; blobId: number },
): Promise<void> {
  const [share] = await tx
    .select({ pictureBlobId: shares.pictureBlobId })
    .from(shares)
    .where(and(eq(shares.id, shareId), isLive))
    .for("no key update");
  if (share === undefined) return discardBlobs(tx, [blobId]);
  await tx.update(shares).set({ pictureBlobId: blobId }).where(eq(shares.id, shareId));
  const now = sql`clock_timestamp()`;
  const attached = await tx
    .update(blobs)
    .set({ storedAt: now, attachedAt: now })
    .where(and(eq(blobs.id, blobId), isNull(blobs.discardedAt)))
    .returning({ id: blobs.id });
  // The account was erased meanwhile.
  if (attached.length === 0)
    await tx.update(shares).set({ pictureBlobId: null }).where(eq(shares.id, shareId));
  if (share.pictureBlobId !== null) await discardBlobs(tx, [share.pictureBlobId]);
}

async function findKept({ pool }: PictureDeps, token: string) {
  const [kept] = await pool.db
    .select({ key: blobs.key, filename: blobs.filename })
    .from(shares)
    .innerJoin(blobs, eq(blobs.id, shares.pictureBlobId))
    .where(and(eq(shares.token, token), isNotNull(blobs.storedAt), isNull(blobs.discardedAt)));
  return kept;
}

/** What a link shows as a scene; null for one that leads to nothing. */
async function findScene(deps: PictureDeps, token: string): Promise<Scene | null> {
  try {
    return sceneOf(await findShared(deps, token, serverNow()));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

type OrderDeps = Pick<Deps, "queues" | "log">;

/** Has a worker draw the picture of a link. Nobody waits for it: until it is stored, who asks for the picture gets one drawn. */
export function orderPicture({ queues, log }: OrderDeps, shareId: number): void {
  queues.drawPicture({ shareId }).catch((error: unknown) => {
    log.warn(
      { err: error, shareId },
      "the picture of a link could not be ordered; the next reader orders it",
    );
  });
}

/** The same for a link whose picture was not found, or shows what is not true any more. */
export async function orderMissing(
  { pool, ...deps }: OrderDeps & Pick<Deps, "pool">,
  token: string,
): Promise<void> {
  const [share] = await pool.db.select({ id: shares.id }).from(shares).where(eq(shares.token, token));
  if (share !== undefined) orderPicture(deps, share.id);
}
