import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { storedFace } from "#src/people/avatars/present-avatar.ts";
import { discardBlobs } from "#src/people/storage/discard-blobs.ts";
import { currentBlobIds, databaseNow, lockAvatar, pendingBlobIds } from "./attach-avatar.ts";

/** Makes a drawn face the user's avatar, in the place of a picture. */
export async function chooseFace(tx: Transaction, viewer: { id: number }, face: number): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  const avatar = storedFace(face, (user.avatar?.revision ?? 0) + 1);
  await tx
    .update(users)
    .set({ avatarBlobId: null, avatar, updatedAt: databaseNow })
    .where(eq(users.id, viewer.id));
  await discardBlobs(tx, [...pendingBlobIds(user), ...currentBlobIds(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: viewer.id });
}
