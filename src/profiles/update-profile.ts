import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { toTakenRefusal } from "#src/users/refuse-taken.ts";
import { attachAvatar, type ChosenPicture, choosePicture, databaseNow } from "./attach-avatar.ts";
import { removeAvatar } from "./remove-avatar.ts";
import type { ProfileChange } from "./schemas.ts";

/**
 * Changes a user's own profile, in one transaction. A job then makes the sizes of a new picture, and the new avatar is
 * broadcast when they exist.
 * @throws Refusal 422 for a username that is taken, and for a picture or crop that cannot be used.
 */
export async function updateProfile(
  deps: Deps,
  viewer: { id: number },
  change: ProfileChange,
): Promise<void> {
  const { avatar, crop, ...details } = change;
  if (crop !== undefined && typeof avatar !== "string") throw invalid({ avatar: ["is required"] });
  const chosen =
    typeof avatar === "string" ? await choosePicture(deps, viewer, { signedId: avatar, crop }) : null;
  await inTransaction(deps.pool.db, async (tx) => {
    await updateDetails(tx, viewer, details);
    if (chosen !== null) await attachAvatar(tx, viewer, chosen);
    if (avatar === null) await removeAvatar(tx, viewer);
  });
  if (avatar === null) deps.notifyRelay();
  if (chosen !== null) await enqueueAvatar(deps, viewer, chosen);
}

/** Enqueues the job that makes the sizes. While Redis is unavailable the sweep makes them. */
async function enqueueAvatar(
  { queues, log }: Pick<Deps, "queues" | "log">,
  { id: userId }: { id: number },
  { blobId }: ChosenPicture,
): Promise<void> {
  try {
    await queues.makeAvatar({ userId, blobId });
  } catch (error) {
    log.warn({ err: error, userId }, "could not enqueue an avatar; the sweep will make its sizes");
  }
}

/**
 * Updates username and phone where they are given.
 * @throws Refusal 422 for a username that is taken (case-insensitive); the transaction is aborted then.
 */
async function updateDetails(
  tx: Transaction,
  viewer: { id: number },
  { username, phone }: Pick<ProfileChange, "username" | "phone">,
): Promise<void> {
  if (username === undefined && phone === undefined) return;
  const change = {
    ...(username === undefined ? {} : { username }),
    ...(phone === undefined ? {} : { phone }),
  };
  await tx
    .update(users)
    .set({ ...change, updatedAt: databaseNow })
    .where(eq(users.id, viewer.id))
    .catch((error: unknown) => {
      throw toTakenRefusal(error);
    });
}
