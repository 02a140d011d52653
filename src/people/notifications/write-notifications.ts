import type { Queryable } from "#db/client.ts";
import type { NotificationKind } from "#db/lists/notifications.ts";
import { notifications } from "#db/schema/notifications.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";

const BATCH_SIZE = 1_000;

/** A notification to write: what the user reads, and the page it opens. */
export type NewNotification = {
  userId: number;
  kind: NotificationKind;
  title: string;
  body: string;
  /** A path in this app; null for none. */
  url: string | null;
};

/**
 * Writes any number of notifications in the transaction of the change that they report, in batches. After the commit call
 * `deps.notifyRelay()` to broadcast them at once.
 */
export async function writeNotifications(tx: Queryable, rows: readonly NewNotification[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const written = await tx
      .insert(notifications)
      .values(rows.slice(start, start + BATCH_SIZE))
      .returning({ id: notifications.id });
    await writeFact(tx, { kind: "notifications_created", notificationIds: written.map(({ id }) => id) });
  }
}
