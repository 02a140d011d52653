import { and, count, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { NOTIFICATIONS_MAX } from "./contract.ts";
import type { NotificationsAnswer, NotificationView } from "./schemas.ts";

type Row = typeof notifications.$inferSelect;

/** A user's newest notifications, newest first. */
export async function findNotifications(
  db: Queryable,
  userId: number,
  limit: number,
): Promise<NotificationView[]> {
  const rows = await db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.id))
    .limit(limit);
  return rows.map(presentNotification);
}

/** Counts the unread notifications of several users, by user id. Users without unread ones are not in the map. */
export async function countUnread(db: Queryable, userIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ userId: notifications.userId, unread: count() })
    .from(notifications)
    .where(and(inArray(notifications.userId, [...userIds]), isNull(notifications.readAt)))
    .groupBy(notifications.userId);
  return new Map(rows.map(({ userId, unread }) => [userId, unread]));
}

/** A notification as the API returns it. */
export function presentNotification({ userId: _userId, ...row }: Row): NotificationView {
  return {
    ...row,
    readAt: row.readAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

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
