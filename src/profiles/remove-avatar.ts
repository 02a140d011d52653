import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writeFact } from "#src/outbox/write-fact.ts";
import type { StoredAvatar } from "#src/sign-ins/present-avatar.ts";
import { discardBlobs } from "#src/storage/discard-blobs.ts";
import { lockAvatar, shownOf, touched, waitingOf } from "./attach-avatar.ts";

/** Takes the user's picture away: the one that is shown and the one that waits. Initials are drawn from then on. */
export async function removeAvatar(tx: Transaction, viewer: { id: number }): Promise<void> {
  const user = await lockAvatar(tx, viewer.id);
  const { shown } = user;
  if (user.avatarBlobId === null && (shown?.pictures ?? null) === null) return;
  const avatar: StoredAvatar = {
    revision: (shown?.revision ?? 0) + 1,
    signer: shown?.signer ?? "",
    blobIds: null,
    pictures: null,
  };
  await tx
    .update(users)
    .set({ avatarBlobId: null, avatar, updatedAt: touched })
    .where(eq(users.id, viewer.id));
  await discardBlobs(tx, [...waitingOf(user), ...shownOf(user)]);
  await writeFact(tx, { kind: "avatar_changed", userId: viewer.id });
}
