import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";

/** Deletes changes older than 10 minutes. The newest of each leaderboard stays, so that no version is ever repeated. */
export async function pruneChanges({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`
    DELETE FROM leaderboard_changes c WHERE created_at < clock_timestamp() - interval '10 minutes'
      AND EXISTS (
        SELECT FROM leaderboard_changes newer WHERE newer.id > c.id AND newer.session_id IS NOT DISTINCT FROM c.session_id
      )`);
}
