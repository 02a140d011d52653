import { count, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { NOTIFICATIONS_MAX } from "./contract.ts";
import { countUnread, findNotifications } from "./find-notifications.ts";
import type { NotificationsAnswer } from "./schemas.ts";

/**
 * A user's newest notifications, and how many are unread, those that are not in the list included.
 * @param limit how many at most.
 */
export async function listNotifications(
  db: Queryable,
  userId: number,
  { limit = NOTIFICATIONS_MAX }: { limit?: number } = {},
): Promise<NotificationsAnswer> {
  const [found, unread, [counted]] = await Promise.all([
    findNotifications(db, userId, limit),
    countUnread(db, [userId]),
    db.select({ total: count() }).from(notifications).where(eq(notifications.userId, userId)),
  ]);
  const meta = listMeta({ page: 1, perPage: limit, offset: 0 }, counted?.total ?? 0, new Date());
  return { notifications: found, meta: { ...meta, unreadCount: unread.get(userId) ?? 0 } };
}
