import { eq } from "drizzle-orm";
import { type Database, inTransaction } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";

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
