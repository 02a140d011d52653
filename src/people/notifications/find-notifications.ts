import { and, count, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { type Database, inTransaction, type Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { NOTIFICATIONS_MAX } from "./contract.ts";
import { type NotificationsAnswer, notificationSchema, type NotificationView } from "./schemas.ts";

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

export const presentNotification = (row: Omit<Row, "userId">): NotificationView =>
  present(notificationSchema, row);

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

/**
 * Marks a user's notifications as read, up to `upToId`, the newest one that was on the screen. Notifications that were read
 * before keep their `readAt`. After it, call `deps.notifyRelay()` to update the user's other windows at once.
 */
export async function markNotificationsRead(
  db: Database,
  { userId, upToId }: { userId: number; upToId: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const read = await tx
      .update(notifications)
      .set({ readAt: sql`clock_timestamp()` })
      .where(
        and(eq(notifications.userId, userId), lte(notifications.id, upToId), isNull(notifications.readAt)),
      )
      .returning({ id: notifications.id });
    if (read.length > 0) await writeFact(tx, { kind: "notifications_read", userId, upToId });
  });
}

/**
 * Deletes all notifications of a user. Running it again changes nothing. After it, call `deps.notifyRelay()` to update the
 * user's other windows at once.
 */
export async function clearNotifications(db: Database, userId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const cleared = await tx
      .delete(notifications)
      .where(eq(notifications.userId, userId))
      .returning({ id: notifications.id });
    if (cleared.length === 0) return;
    const upToId = cleared.reduce((newest, { id }) => Math.max(newest, id), 0);
    await writeFact(tx, { kind: "notifications_read", userId, upToId });
  });
}
