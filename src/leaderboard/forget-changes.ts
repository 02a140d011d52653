import { sql } from "drizzle-orm";
import type { Deps } from "#src/base/deps.ts";

/**
 * Forgets older changes. The newest one of each table stays, so that no table ever looks as it did before.
 */
export async function forgetChanges({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`
    DELETE FROM leaderboard_changes c WHERE created_at < clock_timestamp() - interval '10 minutes'
      AND EXISTS (
        SELECT FROM leaderboard_changes newer WHERE newer.id > c.id AND newer.session_id IS NOT DISTINCT FROM c.session_id
      )`);
}
