import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { presentAvatar } from "#src/people/avatars/present-avatar.ts";
import { gidOf } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";

/**
 * What a user's export begins with: the user's row without the hash of the password, and the wallet.
 * @throws Refusal 404 for an unknown user.
 */
export async function findExportedProfile(db: Queryable, userId: number): Promise<object> {
  const [user] = await db
    .select({
      email: users.email,
      username: users.username,
      phone: users.phone,
      avatar: users.avatar,
      guest: users.guest,
      roles: rolesOfUser,
      settings: users.preferences,
      confirmedAt: users.confirmedAt,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) throw notFound();
  const { settings, avatar, ...row } = user;
  return {
    profile: { id: userId, gid: gidOf(userId), ...row, avatar: presentAvatar(avatar) },
    settings,
    wallet: await findWalletView(db, userId),
  };
}
