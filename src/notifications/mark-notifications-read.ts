import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";

/** Marks a user's notifications as read, up to the last one that was seen. Those read before keep their moment. */
export async function markNotificationsRead(
  db: Queryable,
  { userId, upToId }: { userId: number; upToId: number },
): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt: sql`clock_timestamp()` })
    .where(
      and(eq(notifications.userId, userId), lte(notifications.id, upToId), isNull(notifications.readAt)),
    );
}
