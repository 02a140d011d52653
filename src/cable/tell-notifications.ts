import { asc, inArray } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { forUser } from "#src/broadcast.ts";
import { countUnread, presentNotification } from "#src/notifications/find-notifications.ts";
import type { Messages, Telling } from "./telling.ts";

const TOLD_AT_ONCE = 500;

/** Each player hears of every own notification, with how many are unread by now. What was cleared meanwhile is not told. */
export async function* tellNotifications(
  { tx, serverTime }: Pick<Telling, "tx" | "serverTime">,
  { notificationIds }: { notificationIds: readonly number[] },
): Messages {
  for (let start = 0; start < notificationIds.length; start += TOLD_AT_ONCE) {
    const rows = await tx
      .select()
      .from(notifications)
      .where(inArray(notifications.id, notificationIds.slice(start, start + TOLD_AT_ONCE)))
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
}
