import { eq, inArray, sql } from "drizzle-orm";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { startDryRun } from "#src/dry-runs/start-dry-run.ts";
import { buildBlueprint } from "#tests/support/build.ts";
import type { Fixture, Happy, Prepare } from "./fixture.ts";

const options = { seed: 7, players: 12, skew: 60, latencyMs: 150, lateTaps: 5 };

/** A blueprint whose admin has no unfinished dry run. */
async function onBlueprint({ deps, admin }: Fixture): Promise<Happy & { params: { id: number } }> {
  await deps.pool.db
    .update(dryRuns)
    .set({ state: "cancelled", endedAt: sql`clock_timestamp()` })
    .where(inArray(dryRuns.state, [...unfinishedDryRunStates]));
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

async function onDryRun(fixture: Fixture): Promise<Happy & { params: { id: number } }> {
  const { browser, params } = await onBlueprint(fixture);
  const id = await startDryRun(fixture.deps, { actor: fixture.admin, blueprintId: params.id, options });
  return { browser, params: { id } };
}

export const happyDryRuns: Record<string, Prepare> = {
  listDryRuns: onBlueprint,
  startDryRun: async (fixture) => ({
    ...(await onBlueprint(fixture)),
    body: { dry_run: { seed: 7, players: 12, skew: 60, latency_ms: 150, late_taps: 5 } },
  }),
  showDryRun: onDryRun,
  cancelDryRun: onDryRun,
  downloadDryRun: async (fixture) => {
    const { browser, params } = await onDryRun(fixture);
    await fixture.deps.pool.db
      .update(dryRuns)
      .set({ state: "done", report: "{}\n", endedAt: sql`clock_timestamp()` })
      .where(eq(dryRuns.id, params.id));
    return { browser, params };
  },
};
