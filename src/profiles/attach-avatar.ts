import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { readAvatar } from "#src/sign-ins/present-avatar.ts";
import { discardBlobs } from "#src/storage/discard-blobs.ts";
import { readSignedId } from "#src/storage/signed-id.ts";
import { checkPicture, type PictureSize } from "./check-picture.ts";
import { centreOf } from "./encode-avatar.ts";
import type { Crop } from "./schemas.ts";

/** An upload that was found to be a picture, and the square of it that is to be shown. */
export type ChosenPicture = { blobId: number; crop: Crop };

/**
 * Looks at an upload of the viewer's own that is to become the avatar.
 * Refuses what is not theirs, not there or not a picture that we take, and a crop beyond its edges: 422.
 */
export async function choosePicture(
  deps: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number },
  { signedId, crop }: { signedId: string; crop: Crop | undefined },
): Promise<ChosenPicture> {
  const blobId = readSignedId(deps.env.secretKey, signedId, { purpose: "blob", now: new Date() });
  if (blobId === null) throw unknownUpload();
  const [blob] = await deps.pool.db.select().from(blobs).where(isFree(blobId, viewer));
  const bytes = blob === undefined ? null : await deps.store.get(blob.key);
  if (blob === undefined || bytes === null) throw unknownUpload();
  const size = await checkPicture(bytes, blob.contentType);
  if (crop !== undefined && !fits(crop, size)) throw invalid({ crop: ["is invalid"] });
  return { blobId, crop: crop ?? centreOf(size) };
}

/**
 * Makes the picture the user's choice. What is shown stays until the sizes of the new one are made; a choice that was
 * still waiting is given up.
 */
export async function attachAvatar(
  tx: Transaction,
  viewer: { id: number },
  chosen: ChosenPicture,
): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  const taken = await tx
    .update(blobs)
    .set({ attachedAt: sql`clock_timestamp()`, metadata: { crop: chosen.crop } })
    .where(isFree(chosen.blobId, viewer))
    .returning({ id: blobs.id });
  if (taken.length === 0) throw unknownUpload();
  await tx
    .update(users)
    .set({ avatarBlobId: chosen.blobId, updatedAt: touched })
    .where(eq(users.id, viewer.id));
  await discardBlobs(tx, waitingOf(user));
}

/** The user's row, held until the transaction ends. */
export async function lockAvatar(tx: Transaction, userId: number) {
  const [user] = await tx
    .select({ avatarBlobId: users.avatarBlobId, avatar: users.avatar })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  if (user === undefined) throw notFound();
  return { avatarBlobId: user.avatarBlobId, shown: readAvatar(user.avatar) };
}

type LockedAvatar = Awaited<ReturnType<typeof lockAvatar>>;

/** The files of the sizes that are shown. */
export function shownOf({ shown }: LockedAvatar): number[] {
  return Object.values(shown?.blobIds ?? {});
}

/** The chosen upload whose sizes are not made yet; none where the choice is what is shown. */
export function waitingOf(user: LockedAvatar): number[] {
  const { avatarBlobId } = user;
  return avatarBlobId === null || shownOf(user).includes(avatarBlobId) ? [] : [avatarBlobId];
}

export const touched = sql`clock_timestamp()`;

/** An upload of this person that is whole and not used for anything. */
function isFree(blobId: number, viewer: { id: number }) {
  return and(
    eq(blobs.id, blobId),
    eq(blobs.uploadedById, viewer.id),
    isNotNull(blobs.storedAt),
    isNull(blobs.attachedAt),
    isNull(blobs.discardedAt),
  );
}

function fits({ x, y, size }: Crop, { width, height }: PictureSize): boolean {
  return x + size <= width && y + size <= height;
}

const unknownUpload = () => invalid({ avatar: ["is invalid"] }, { detail: "Choose the picture again." });
