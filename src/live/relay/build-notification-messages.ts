import { asc } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import { notifications } from "#db/schema/notifications.ts";
import { countUnread, presentNotification } from "#src/people/notifications/find-notifications.ts";
import { forUser } from "./address-message.ts";
import type { MessageContext, Messages } from "./message-context.ts";

const NOTIFICATIONS_AT_ONCE = 500;

/**
 * A message for each notification to its player, with the player's current number of unread ones. Notifications that were
 * cleared in the meantime are left out. Beyond 500, follow-up facts carry the rest.
 */
export async function* buildNotificationMessages(
  { tx, serverTime, followUps }: Pick<MessageContext, "tx" | "serverTime" | "followUps">,
  { notificationIds }: { notificationIds: readonly number[] },
): Messages {
  for (let start = NOTIFICATIONS_AT_ONCE; start < notificationIds.length; start += NOTIFICATIONS_AT_ONCE) {
    const some = notificationIds.slice(start, start + NOTIFICATIONS_AT_ONCE);
    followUps.push({ kind: "rest_of_notifications", notificationIds: some });
  }
  const rows = await tx
    .select()
    .from(notifications)
    .where(anyOf(notifications.id, notificationIds.slice(0, NOTIFICATIONS_AT_ONCE)))
    .orderBy(asc(notifications.id));
  const unread = await countUnread(tx, [...new Set(rows.map(({ userId }) => userId))]);
  yield rows.map((row) =>
    forUser(row.userId, {
      sourceType: "Notification",
      eventType: "create",
      detail: {
        notification: presentNotification(row),
        unreadCount: unread.get(row.userId) ?? 0,
        version: row.id,
        serverTime,
      },
    }),
  );
}

/**
 * A message to all windows of a player whose notifications up to `upToId` were read or cleared in one of them, with the
 * current number of unread ones.
 */
export async function* buildNotificationsReadMessages(
  { tx, serverTime }: Pick<MessageContext, "tx" | "serverTime">,
  { userId, upToId }: { userId: number; upToId: number },
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
