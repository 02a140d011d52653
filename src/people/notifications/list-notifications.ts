import { count, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { NOTIFICATIONS_MAX } from "./contract.ts";
import { countUnread, findNotifications } from "./find-notifications.ts";
import type { NotificationsAnswer } from "./schemas.ts";

/**
 * Lists a user's newest notifications and counts all unread ones, including those outside the list.
 * @param limit the length of the list at most.
 */
export async function listNotifications(
  db: Queryable,
  userId: number,
  { limit = NOTIFICATIONS_MAX }: { limit?: number } = {},
): Promise<NotificationsAnswer> {
  const [newest, unread, [counted]] = await Promise.all([
    findNotifications(db, userId, limit),
    countUnread(db, [userId]),
    db.select({ total: count() }).from(notifications).where(eq(notifications.userId, userId)),
  ]);
  const meta = listMeta({ page: 1, perPage: limit, offset: 0 }, counted?.total ?? 0, serverNow());
  return { notifications: newest, meta: { ...meta, unreadCount: unread.get(userId) ?? 0 } };
}
