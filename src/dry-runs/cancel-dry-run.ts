import { and, eq, inArray, sql } from "drizzle-orm";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";

/** Cancels a dry run. The worker that plays it notices within a second. One that has ended stays as it is. */
export async function cancelDryRun({ pool }: Pick<Deps, "pool">, id: number): Promise<void> {
  await pool.db
    .update(dryRuns)
    .set({ state: "cancelled", endedAt: sql`clock_timestamp()` })
    .where(and(eq(dryRuns.id, id), inArray(dryRuns.state, [...unfinishedDryRunStates])));
}
