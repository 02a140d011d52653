import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import type { StoredAvatar } from "#src/people/avatars/present-avatar.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { lockAvatar, currentBlobIds, databaseNow, pendingBlobIds } from "./attach-avatar.ts";

/** Removes the user's picture, the visible one and a pending one. Clients then draw initials. */
export async function removeAvatar(tx: Transaction, viewer: { id: number }): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  if (user.avatarBlobId === null && (user.avatar?.pictures ?? null) === null) return;
  const avatar: StoredAvatar = {
    revision: (user.avatar?.revision ?? 0) + 1,
    signer: user.avatar?.signer ?? "",
    blobIds: null,
    pictures: null,
  };
  await tx
    .update(users)
    .set({ avatarBlobId: null, avatar, updatedAt: databaseNow })
    .where(eq(users.id, viewer.id));
  await discardBlobs(tx, [...pendingBlobIds(user), ...currentBlobIds(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: viewer.id });
}
