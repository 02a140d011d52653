import { eq, sql } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { writePersonalAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { say } from "#src/http/contract.ts";
import { requireVersion } from "#src/http/if-match.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { removeAvatar } from "#src/people/pictures/attach-avatar.ts";
import { GUEST_PREFIX } from "#src/people/users/contract.ts";
import { keepRemoved } from "#src/people/users/judge-username.ts";
import {
  lockUser,
  type ManageUserInput,
  refuseEnded,
  refuseOwnAccount,
} from "#src/people/users/manage-user.ts";
import { publishRename } from "./publish-rename.ts";

/**
 * Takes a player's name, face and picture away. The player has a neutral name until choosing another one, is told so, and the name
 * does not come back. Repeating it changes nothing.
 * @throws Refusal 404 for an unknown user, 409 for a stale version, 422 for a deleted account and the admin's own.
 */
export async function removeName(deps: Deps, input: ManageUserInput): Promise<void> {
  refuseOwnAccount(input, "Change your own name and picture on your profile.");
  await inTransaction(deps.pool.db, (tx) => takeAway(tx, input));
  deps.notifyRelay();
}

async function takeAway(
  tx: Transaction,
  { userId, actor, reason, ifVersion }: ManageUserInput,
): Promise<void> {
  const user = await lockUser(tx, userId);
  requireVersion({ ifVersion }, user);
  refuseEnded(user);
  const username = `${GUEST_PREFIX}${userId}`;
  const isNamed = user.username !== username;
  if (!isNamed && user.avatarBlobId === null && presentAvatar(user.avatar).default === null) return;
  await removeAvatar(tx, { id: userId });
  if (isNamed) {
    await tx
      .update(users)
      .set({ username, updatedAt: sql`clock_timestamp()` })
      .where(eq(users.id, userId));
    await keepRemoved(tx, user.username);
  }
  await publishRename(tx, { userId, username });
  await writeNotifications(tx, [
    {
      userId,
      kind: "security",
      title: isNamed
        ? say`A host has taken your name away. You are ${username} until you choose another one.`
        : "A host has taken your picture away. You may choose another one.",
      body: "",
      url: user.guest ? "/guest" : "/profile/details",
    },
  ]);
  await writePersonalAudit(
    tx,
    { actor, action: "remove_name", subject: { type: "user", id: userId }, reason },
    { userId, before: { username: user.username }, after: { username } },
  );
}
