import { and, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { blueprints } from "#db/schema/blueprints.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { makeOnce, type MaybeKeyed } from "#src/base/once.ts";
import { invalid, notFound, Refusal } from "#src/base/refusal.ts";
import { listEvents } from "#src/show/blueprints/with-blueprint.ts";
import { storedSettings } from "#src/show/sessions/schemas.ts";
import { dryRunLimits as limits } from "./contract.ts";
import { type DryRunOptions, type Plan, plan } from "./schemas.ts";

/**
 * Starts a dry run of a blueprint as it is now. A worker plays it.
 * @returns its id.
 * @throws Refusal 404 for an unknown blueprint; 422 without actions, or if it is too large; 409 while another dry run of this
 *   admin has not ended.
 */
export async function startDryRun(
  deps: Deps,
  { actor, blueprintId, options }: { actor: { id: number }; blueprintId: number; options: DryRunOptions },
  keyed: MaybeKeyed = null,
): Promise<number> {
  const id = await makeOnce(deps.pool.db, keyed, async (tx) => {
    const plan = await readPlan(tx, blueprintId);
    requirePlayable(plan, options);
    const [made] = await tx
      .insert(dryRuns)
      .values({ blueprintId, actorId: actor.id, plan, options })
      .onConflictDoNothing()
      .returning({ id: dryRuns.id });
    if (made === undefined) throw unfinished();
    return made;
  });
  // The schedule of the worker adds it again if Redis is away.
  await deps.queues.performDryRun({ dryRunId: id }).catch((error: unknown) => {
    deps.log.warn({ err: error, dryRunId: id }, "could not add the job of a dry run; it starts later");
  });
  return id;
}

function requirePlayable({ events }: Plan, { players }: DryRunOptions): void {
  if (events.length === 0) {
    const detail = "Add an action first.";
    throw invalid({ blueprint: ["has no actions"] }, { code: "nothing_to_play", detail });
  }
  if (events.length * players <= limits.chancesMax) return;
  const most = Math.floor(limits.chancesMax / events.length);
  throw invalid(
    { players: [`must be less than or equal to ${most}`] },
    { code: "too_large", detail: `With ${events.length} actions at most ${most} players can take part.` },
  );
}

function unfinished(): Refusal {
  return new Refusal(
    409,
    "dry_run_unfinished",
    "Your last dry run has not ended. Wait for it, or cancel it.",
  );
}

/** What a dry run plays: the blueprint as it is now, without its ids and its dates. */
async function readPlan(db: Queryable, blueprintId: number): Promise<Plan> {
  const [blueprint] = await db.select().from(blueprints).where(eq(blueprints.id, blueprintId)).for("share");
  if (blueprint === undefined) throw notFound();
  const settings = { ...v.parse(storedSettings, blueprint.defaults), private: false };
  const events = await listEvents(db, blueprintId);
  return v.parse(plan, { name: blueprint.name, settings, events });
}

/** Cancels a dry run. The worker that plays it notices within a second. One that has ended stays as it is. */
export async function cancelDryRun({ pool }: Pick<Deps, "pool">, id: number): Promise<void> {
  await pool.db
    .update(dryRuns)
    .set({ state: "cancelled", endedAt: sql`clock_timestamp()` })
    .where(and(eq(dryRuns.id, id), inArray(dryRuns.state, [...unfinishedDryRunStates])));
}
