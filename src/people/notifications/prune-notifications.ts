import { sql } from "drizzle-orm";
import { notifications } from "#db/schema/notifications.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const RETENTION_DAYS = 90;
const PER_USER_MAX = 200;
/** Users who got none since are as short as the run before left them. It runs every hour. */
const RECENT_HOURS = 3;

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
