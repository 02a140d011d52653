import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { blobs } from "#db/schema/blobs.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { readAvatar, type StoredAvatar, storedFace } from "#src/people/avatars/present-avatar.ts";
import type { Crop } from "#src/people/avatars/schemas.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { chooseUpload, isUnattached, type PictureSize, unknownUpload } from "./check-picture.ts";
import { centredSquare } from "./encode-avatar.ts";

/** A checked upload, and the square of it to show. */
export type ChosenPicture = { blobId: number; crop: Crop };

/**
 * Checks one of the viewer's uploads before it becomes the avatar.
 * @param crop the square to show; without it the largest square in the middle.
 */
export async function choosePicture(
  deps: Pick<Deps, "env" | "pool" | "store">,
  viewer: { id: number },
  { signedId, crop }: { signedId: string; crop: Crop | undefined },
): Promise<ChosenPicture> {
  const { blobId, size } = await chooseUpload(deps, viewer, signedId);
  if (crop !== undefined && !isInside(crop, size)) throw invalid({ crop: ["is invalid"] });
  return { blobId, crop: crop ?? centredSquare(size) };
}

/**
 * Makes the picture the user's choice. The current avatar stays visible until the sizes of the new one exist. A choice
 * whose sizes do not exist yet is discarded.
 * @throws Refusal 422 where the upload was attached or discarded in the meantime.
 */
export async function attachAvatar(
  tx: Transaction,
  viewer: { id: number },
  chosen: ChosenPicture,
): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  const attached = await tx
    .update(blobs)
    .set({ attachedAt: sql`clock_timestamp()`, metadata: { crop: chosen.crop } })
    .where(isUnattached(chosen.blobId, viewer))
    .returning({ id: blobs.id });
  if (attached.length === 0) throw unknownUpload();
  await tx
    .update(users)
    .set({ avatarBlobId: chosen.blobId, updatedAt: databaseNow })
    .where(eq(users.id, viewer.id));
  await discardBlobs(tx, pendingBlobIds(user));
}

/** Locks the user's row until the transaction ends, and returns its avatar columns. */
export async function lockAvatar(tx: Transaction, userId: number) {
  const [user] = await tx
    .select({ avatarBlobId: users.avatarBlobId, avatar: users.avatar })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  if (user === undefined) throw notFound();
  return { avatarBlobId: user.avatarBlobId, avatar: readAvatar(user.avatar) };
}

type LockedAvatar = Awaited<ReturnType<typeof lockAvatar>>;

/** The blobs of the sizes that are visible now. */
export function currentBlobIds({ avatar }: LockedAvatar): number[] {
  return Object.values(avatar?.blobIds ?? {});
}

/** The chosen upload whose sizes do not exist yet; empty where the choice is already visible. */
function pendingBlobIds(user: LockedAvatar): number[] {
  const { avatarBlobId } = user;
  return avatarBlobId === null || currentBlobIds(user).includes(avatarBlobId) ? [] : [avatarBlobId];
}

export const databaseNow = sql`clock_timestamp()`;

function isInside({ x, y, size }: Crop, { width, height }: PictureSize): boolean {
  return x + size <= width && y + size <= height;
}

/** Makes a drawn face the user's avatar, in the place of a picture. */
export async function chooseFace(tx: Transaction, viewer: { id: number }, face: number): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  await replaceAvatar(tx, viewer, user, storedFace(face, nextRevision(user)));
}

/** Removes the user's picture, the visible one and a pending one. Clients then draw initials. */
export async function removeAvatar(tx: Transaction, viewer: { id: number }): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  if (user.avatarBlobId === null && (user.avatar?.pictures ?? null) === null) return;
  const signer = user.avatar?.signer ?? "";
  await replaceAvatar(tx, viewer, user, {
    revision: nextRevision(user),
    signer,
    blobIds: null,
    pictures: null,
  });
}

const nextRevision = ({ avatar }: LockedAvatar) => (avatar?.revision ?? 0) + 1;

async function replaceAvatar(
  tx: Transaction,
  { id }: { id: number },
  user: LockedAvatar,
  avatar: Partial<StoredAvatar>,
): Promise<void> {
  await tx.update(users).set({ avatarBlobId: null, avatar, updatedAt: databaseNow }).where(eq(users.id, id));
  await discardBlobs(tx, [...pendingBlobIds(user), ...currentBlobIds(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: id });
}
