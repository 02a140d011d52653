import { and, asc, eq, lt, or, sql } from "drizzle-orm";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { DEAD_AFTER_S } from "./perform-dry-run.ts";

const WAITED_S = 5;

/** Adds the jobs of dry runs again that nobody plays: Redis was away, or the worker has died. */
export async function resumeDryRuns({ pool, queues }: Pick<Deps, "pool" | "queues">): Promise<void> {
  const before = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${seconds})`;
  const left = await pool.db
    .select({ id: dryRuns.id })
    .from(dryRuns)
    .where(
      or(
        and(eq(dryRuns.state, "waiting"), lt(dryRuns.createdAt, before(WAITED_S))),
        and(eq(dryRuns.state, "playing"), lt(dryRuns.movedAt, before(DEAD_AFTER_S))),
      ),
    )
    .orderBy(asc(dryRuns.id));
  for (const { id } of left) await queues.performDryRun({ dryRunId: id });
}
