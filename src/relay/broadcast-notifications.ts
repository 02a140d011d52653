import { asc, inArray } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { countUnread, presentNotification } from "#src/notifications/find-notifications.ts";
import { forUser } from "./address-message.ts";
import type { Messages, Telling } from "./messages.ts";

const TOLD_AT_ONCE = 500;

type Created = { notificationIds: readonly number[] };

/**
 * Each player hears of every own notification, with how many are unread by now. What was cleared meanwhile is not told, and
 * of very many the later ones are told later.
 */
export async function* tellNotifications(
  { tx, serverTime, rest }: Pick<Telling, "tx" | "serverTime" | "rest">,
  { notificationIds }: Created,
): Messages {
  for (let start = TOLD_AT_ONCE; start < notificationIds.length; start += TOLD_AT_ONCE) {
    const some = notificationIds.slice(start, start + TOLD_AT_ONCE);
    rest.push({ kind: "rest_of_notifications", notificationIds: some });
  }
  const rows = await tx
    .select()
    .from(notifications)
    .where(inArray(notifications.id, notificationIds.slice(0, TOLD_AT_ONCE)))
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
