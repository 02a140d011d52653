import { asc, desc, eq, inArray, sql } from "drizzle-orm";
import { unfinishedDryRunStates } from "#db/lists/dry-runs.ts";
import { audit } from "#db/schema/audit.ts";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { startDryRun } from "#src/dry-runs/start-dry-run.ts";
import { generateSession } from "#src/show/blueprints/generate-session.ts";
import { destroyBlueprintEvents } from "#src/show/blueprints/removals.ts";
import { buildBlueprint, only } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";
import type { Fixture, Happy, Prepare } from "./fixture.ts";
import { nextFriday } from "./next-friday.ts";

async function onBlueprint({ deps, admin }: Fixture) {
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

/** The events of a new blueprint, requested by an admin. */
async function onBlueprintEvents(fixture: Fixture) {
  const { browser, params } = await onBlueprint(fixture);
  const ids = await eventIdsOf(fixture, params.id);
  return { browser, params: { id: ids[0] ?? 0 }, ids };
}

async function onBlueprintEvent(fixture: Fixture): Promise<Happy> {
  const { browser, params } = await onBlueprintEvents(fixture);
  return { browser, params };
}

export const happyBlueprints: Record<string, Prepare> = {
  listBlueprints: async (fixture) => ({
    browser: (await onBlueprint(fixture)).browser,
    query: { name: "blueprint", per_page: 1 },
  }),
  offerNewBlueprint: async ({ admin }) => ({ browser: admin.browser }),
  showBlueprint: onBlueprint,
  offerBlueprint: onBlueprint,
  createBlueprint: async ({ admin }) => ({
    browser: admin.browser,
    body: {
      blueprint: { name: "Derby night", description: "Twelve questions", defaults: { lead_seconds: 5 } },
    },
  }),
  updateBlueprint: async (fixture) => ({
    ...(await onBlueprint(fixture)),
    body: { blueprint: { name: "Cup" } },
  }),
  destroyBlueprint: onBlueprint,
  generateSession: async (fixture) => ({
    ...(await onBlueprint(fixture)),
    body: { session: { name: "Tonight", starts_at: nextFriday() } },
  }),
  createBlueprintEvent: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
    const event = { blueprint_id: params.id, title: "Rain by noon?", duration_seconds: 60 };
    return { browser, body: { blueprint_event: event } };
  },
  createBlueprintEvents: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
    const events = [
      { title: "Rain by noon?" },
      { title: "Sun by six?", true_label: "Yes", false_label: "No" },
    ];
    return { browser, body: { blueprint_id: params.id, blueprint_events: events } };
  },
  updatePositions: async (fixture) => {
    const { browser, ids } = await onBlueprintEvents(fixture);
    const reversed = ids.toReversed().map((id, index) => ({ id, position: index + 1 }));
    return { browser, body: { blueprint_events: reversed } };
  },
  showBlueprintEvent: onBlueprintEvent,
  updateBlueprintEvent: async (fixture) => ({
    ...(await onBlueprintEvent(fixture)),
    body: { blueprint_event: { title: "Snow by noon?" } },
  }),
  destroyBlueprintEvent: onBlueprintEvent,
};

const options = { seed: 7, players: 12, skew: 60, latencyMs: 150, lateTaps: 5 };

/** A blueprint whose admin has no unfinished dry run. */
async function onIdleBlueprint({ deps, admin }: Fixture): Promise<Happy & { params: { id: number } }> {
  await setRows(deps.pool.db, dryRuns, inArray(dryRuns.state, [...unfinishedDryRunStates]), {
    state: "cancelled",
    endedAt: sql`clock_timestamp()`,
  });
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

async function onDryRun(fixture: Fixture): Promise<Happy & { params: { id: number } }> {
  const { browser, params } = await onIdleBlueprint(fixture);
  const id = await startDryRun(fixture.deps, { actor: fixture.admin, blueprintId: params.id, options });
  return { browser, params: { id } };
}

export const happyDryRuns: Record<string, Prepare> = {
  listDryRuns: onIdleBlueprint,
  startDryRun: async (fixture) => ({
    ...(await onIdleBlueprint(fixture)),
    body: { dry_run: { seed: 7, players: 12, skew: 60, latency_ms: 150, late_taps: 5 } },
  }),
  showDryRun: onDryRun,
  cancelDryRun: onDryRun,
  downloadDryRun: async (fixture) => {
    const { browser, params } = await onDryRun(fixture);
    await setRows(fixture.deps.pool.db, dryRuns, params.id, {
      state: "done",
      report: "{}\n",
      endedAt: sql`clock_timestamp()`,
    });
    return { browser, params };
  },
};

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
  const { browser, params } = await onBlueprint(fixture);
  const ids = await eventIdsOf(fixture, params.id);
  await destroyBlueprintEvents(fixture.deps, { actor: fixture.admin, ids: ids.slice(0, 1) });
  const lines = fixture.deps.pool.db.select({ id: audit.id }).from(audit);
  const removal = only(await lines.orderBy(desc(audit.id)).limit(1));
  return { browser, blueprintId: params.id, removalId: removal.id };
}

/** Plans as a whole: in and out as text, copied, changed at several places, and brought back. */
export const happyPlans: Record<string, Prepare> = {
  exportBlueprintCsv: onBlueprint,
  exportBlueprintJson: onBlueprint,
  readPlanFile: async ({ admin }) => ({
    browser: admin.browser,
    body: { file: { bytes: Buffer.from("Rain by noon? (Yes / No) 30s\n").toString("base64") } },
  }),
  importBlueprint: async ({ admin }) => ({
    browser: admin.browser,
    body: { blueprint: { name: "Derby night", text: "1. Rain by noon?\n2. Snow by six? | Yes | No | 45" } },
  }),
  duplicateBlueprint: onBlueprint,
  createFromSession: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
    const { slug } = await generateSession(fixture.deps, { blueprintId: params.id });
    return { browser, body: { blueprint: { session: slug, name: "Once more" } } };
  },
  importBlueprintEvents: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
    const text =
      'question,true label,false label,seconds\n"Rain, or snow?",Rain,Snow,45\nSun by six?,,,1 min\n';
    return { browser, body: { plan: { blueprint_id: params.id, text } } };
  },
  updateBlueprintEvents: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
    const ids = await eventIdsOf(fixture, params.id);
    return { browser, body: { blueprint_events: ids.map((id) => ({ id, duration_seconds: 45 })) } };
  },
  destroyBlueprintEvents: async (fixture) => {
    const { browser, params } = await onBlueprint(fixture);
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
