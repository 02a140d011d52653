import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { NotificationKind } from "#db/lists/notifications.ts";
import { notifications } from "#db/schema/notifications.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
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

const RETENTION_DAYS = 90;
const PER_USER_MAX = 200;
/** Users who got none since are as short as the run before left them. It runs every hour. */
const RECENT_HOURS = 3;

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

/** Deletes notifications older than 90 days, and all but the newest 200 of each user who got one lately. */
export async function pruneNotifications({ pool }: Pick<Deps, "pool">): Promise<void> {
  const { createdAt } = notifications;
  await deleteOldRows(pool.db, {
    table: notifications,
    old: sql`${createdAt} < ${ago(RETENTION_DAYS, "days")}`,
  });
  await deleteOldRows(pool.db, {
    table: notifications,
    old: sql`id IN (
      SELECT older.id FROM (
        SELECT DISTINCT user_id FROM notifications WHERE created_at > ${ago(RECENT_HOURS, "hours")}
      ) recent, LATERAL (
        SELECT id FROM notifications n WHERE n.user_id = recent.user_id ORDER BY id DESC OFFSET ${PER_USER_MAX}
      ) older)`,
  });
}
