import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";

const PER_USER_MAX = 200;
/** Rows per statement, so that no run is long. The next run continues. */
const BATCH_SIZE = 10_000;

/** Deletes notifications older than 90 days, and all but the newest 200 of each user. */
export async function pruneNotifications({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE created_at < clock_timestamp() - interval '90 days' LIMIT ${BATCH_SIZE})`);
  await pool.db.execute(sql`DELETE FROM notifications WHERE id IN (
    SELECT older.id
    FROM (SELECT user_id FROM notifications GROUP BY user_id HAVING count(*) > ${PER_USER_MAX}) u, LATERAL (
      SELECT id FROM notifications n WHERE n.user_id = u.user_id ORDER BY id DESC OFFSET ${PER_USER_MAX}
    ) older
    LIMIT ${BATCH_SIZE})`);
}
