import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { findWalletViews } from "#src/money/wallet/find-wallet-view.ts";
import { presentAvatar, readAvatar } from "#src/people/avatars/present-avatar.ts";
import { forUser } from "./address-message.ts";
import type { MessageContext, Messages } from "./message-context.ts";

const WALLETS_AT_ONCE = 500;

/** One message to each of these players, with the player's current wallet. */
export async function* buildWalletMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  userIds: readonly number[],
): Messages {
  const players = [...new Set(userIds)];
  for (let start = 0; start < players.length; start += WALLETS_AT_ONCE) {
    const wallets = await findWalletViews(tx, players.slice(start, start + WALLETS_AT_ONCE));
    yield [...wallets].map(([userId, wallet]) =>
      forUser(userId, {
        sourceType: "Wallet",
        eventType: "balance_change",
        detail: { wallet, version: wallet.version, serverTime },
      }),
    );
  }
}

/** A message to a user, with the user's current name and the pictures of the avatar. */
export async function* buildAvatarMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  { userId }: { userId: number },
): Messages {
  const [user] = await tx
    .select({ avatar: users.avatar, username: users.username })
    .from(users)
    .where(eq(users.id, userId));
  if (user === undefined) return;
  const version = readAvatar(user.avatar)?.revision ?? 0;
  const { username } = user;
  const detail = { avatar: presentAvatar(user.avatar), username, version, serverTime };
  yield [forUser(userId, { sourceType: "User", eventType: "avatar", detail })];
}
