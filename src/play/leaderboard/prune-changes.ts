import { sql } from "drizzle-orm";
import { leaderboardChanges } from "#db/schema/exclusions.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const RETENTION_MINUTES = 10;
/** It runs every minute. What a longer break left is deleted after the leaderboard's next change. */
const RECENT_MINUTES = 60;

/** Deletes changes older than 10 minutes. The newest of each leaderboard stays, so that no version is ever repeated. */
export async function pruneChanges({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: leaderboardChanges,
    old: sql`id IN (
      SELECT older.id FROM (
        SELECT session_id, max(id) AS newest FROM leaderboard_changes
        WHERE created_at > ${ago(RECENT_MINUTES, "mins")} GROUP BY session_id
      ) changed JOIN leaderboard_changes older ON older.session_id = changed.session_id AND older.id < changed.newest
      WHERE older.created_at < ${ago(RETENTION_MINUTES, "mins")}
      UNION ALL
      SELECT id FROM leaderboard_changes WHERE session_id IS NULL AND created_at < ${ago(RETENTION_MINUTES, "mins")}
        AND id < (SELECT max(id) FROM leaderboard_changes WHERE session_id IS NULL))`,
  });
}
