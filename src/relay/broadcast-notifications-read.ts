import { countUnread } from "#src/notifications/find-notifications.ts";
import { forUser } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";

type Read = { userId: number; upToId: number };

/** All windows of a player hear that notifications were read or cleared in one of them, and how many are unread by now. */
export async function* tellNotificationsRead(
  { tx, serverTime }: Pick<Telling, "tx" | "serverTime">,
  { userId, upToId }: Read,
): Messages {
  const unreadCount = (await countUnread(tx, [userId])).get(userId) ?? 0;
  yield [
    forUser(userId, {
      sourceType: "Notification",
      eventType: "read",
      detail: { upToId, unreadCount, version: upToId, serverTime },
    }),
  ];
}
