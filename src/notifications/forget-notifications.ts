import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";

const KEPT_PER_USER = 200;
/** No run holds the table for long; the next one goes on. */
const FORGOTTEN_AT_ONCE = 10_000;

/** Forgets notifications older than 90 days, and of everybody all but the newest 200. */
export async function forgetNotifications({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE created_at < clock_timestamp() - interval '90 days' LIMIT ${FORGOTTEN_AT_ONCE})`);
  await pool.db.execute(sql`DELETE FROM notifications WHERE id IN (
    SELECT older.id
    FROM (SELECT user_id FROM notifications GROUP BY user_id HAVING count(*) > ${KEPT_PER_USER}) u, LATERAL (
      SELECT id FROM notifications n WHERE n.user_id = u.user_id ORDER BY id DESC OFFSET ${KEPT_PER_USER}
    ) older
    LIMIT ${FORGOTTEN_AT_ONCE})`);
}
