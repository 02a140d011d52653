import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";

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
