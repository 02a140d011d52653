import { asc, desc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { destroyBlueprintEvents } from "#src/show/blueprints/removals.ts";
import { buildBlueprint, only } from "#tests/support/build.ts";
import type { Fixture, Prepare } from "./fixture.ts";

async function onPlan({ deps, admin }: Fixture) {
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

async function eventIdsOf({ deps }: Fixture, blueprintId: number): Promise<number[]> {
  const rows = await deps.pool.db
    .select({ id: blueprintEvents.id })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, blueprintId))
    .orderBy(asc(blueprintEvents.position));
  return rows.map(({ id }) => id);
}

/** A removed event: its blueprint, and the id of the removal. */
async function onRemoval(fixture: Fixture) {
  const { browser, params } = await onPlan(fixture);
  const ids = await eventIdsOf(fixture, params.id);
  await destroyBlueprintEvents(fixture.deps, { actor: fixture.admin, ids: ids.slice(0, 1) });
  const lines = fixture.deps.pool.db.select({ id: audit.id }).from(audit);
  const removal = only(await lines.orderBy(desc(audit.id)).limit(1));
  return { browser, blueprintId: params.id, removalId: removal.id };
}

/** Plans as a whole: in and out as text, copied, changed at several places, and brought back. */
export const happyPlans: Record<string, Prepare> = {
  exportBlueprintCsv: onPlan,
  exportBlueprintJson: onPlan,
  importBlueprint: async ({ admin }) => ({
    browser: admin.browser,
    body: { blueprint: { name: "Derby night", text: "1. Rain by noon?\n2. Snow by six? | Yes | No | 45" } },
  }),
  duplicateBlueprint: onPlan,
  createFromSession: async (fixture) => {
    const { browser, params } = await onPlan(fixture);
    const { slug } = await generateSession(fixture.deps, { blueprintId: params.id });
    return { browser, body: { blueprint: { session: slug, name: "Once more" } } };
  },
  importBlueprintEvents: async (fixture) => {
    const { browser, params } = await onPlan(fixture);
    const text =
      'question,true label,false label,seconds\n"Rain, or snow?",Rain,Snow,45\nSun by six?,,,1 min\n';
    return { browser, body: { plan: { blueprint_id: params.id, text } } };
  },
  updateBlueprintEvents: async (fixture) => {
    const { browser, params } = await onPlan(fixture);
    const ids = await eventIdsOf(fixture, params.id);
    return { browser, body: { blueprint_events: ids.map((id) => ({ id, duration_seconds: 45 })) } };
  },
  destroyBlueprintEvents: async (fixture) => {
    const { browser, params } = await onPlan(fixture);
    return { browser, body: { ids: (await eventIdsOf(fixture, params.id)).slice(0, 1) } };
  },
  listRemovals: async (fixture) => {
    const { browser, blueprintId } = await onRemoval(fixture);
    return { browser, query: { blueprint_id: blueprintId } };
  },
  restoreRemoval: async (fixture) => {
    const { browser, removalId } = await onRemoval(fixture);
    return { browser, params: { id: removalId } };
  },
};
