import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";

/** Deletes all notifications of a user. Doing it again changes nothing. */
export async function clearNotifications(db: Queryable, userId: number): Promise<void> {
  await db.delete(notifications).where(eq(notifications.userId, userId));
}
