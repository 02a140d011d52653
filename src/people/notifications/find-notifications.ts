import { and, count, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import type { NotificationView } from "./schemas.ts";

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
