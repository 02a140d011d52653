import { inTransaction } from "#db/client.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid, Refusal } from "#src/base/refusal.ts";
import { dryRunLimits as limits } from "./contract.ts";
import { readPlan } from "./read-plan.ts";
import type { DryRunOptions, Plan } from "./schemas.ts";

type StartDryRun = { actor: { id: number }; blueprintId: number; options: DryRunOptions };

/**
 * Starts a dry run of a blueprint as it is now. A worker plays it.
 * @returns its id.
 * @throws Refusal 404 for an unknown blueprint; 422 without actions, or if it is too large; 409 while another dry run of this
 *   admin has not ended.
 */
export async function startDryRun(
  deps: Deps,
  { actor, blueprintId, options }: StartDryRun,
  keyed: MaybeKeyed = null,
): Promise<number> {
  const { id } = await inTransaction(deps.pool.db, (tx) =>
    once(tx, keyed, madeRow, async () => {
      const plan = await readPlan(tx, blueprintId);
      requirePlayable(plan, options);
      const [made] = await tx
        .insert(dryRuns)
        .values({ blueprintId, actorId: actor.id, plan, options })
        .onConflictDoNothing()
        .returning({ id: dryRuns.id });
      if (made === undefined) throw unfinished();
      return made;
    }),
  );
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
