import { asc, eq } from "drizzle-orm";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { buildBlueprint } from "#tests/support/build.ts";
import type { Happy, Prepare, Stage } from "./stage.ts";

async function onBlueprint({ deps, admin }: Stage) {
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

/** The events of a new blueprint, and an admin who acts on them. */
async function onBlueprintEvents(stage: Stage) {
  const { browser, params } = await onBlueprint(stage);
  const events = await stage.deps.pool.db
    .select({ id: blueprintEvents.id })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, params.id))
    .orderBy(asc(blueprintEvents.position));
  const [first] = events;
  return { browser, params: { id: first?.id ?? 0 }, events };
}

async function onBlueprintEvent(stage: Stage): Promise<Happy> {
  const { browser, params } = await onBlueprintEvents(stage);
  return { browser, params };
}

export const happyBlueprints: Record<string, Prepare> = {
  listBlueprints: async (stage) => ({
    browser: (await onBlueprint(stage)).browser,
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
  updateBlueprint: async (stage) => ({ ...(await onBlueprint(stage)), body: { blueprint: { name: "Cup" } } }),
  destroyBlueprint: onBlueprint,
  generateSession: async (stage) => ({
    ...(await onBlueprint(stage)),
    body: { session: { name: "Tonight", starts_at: "2026-11-27T20:00:00Z" } },
  }),
  createBlueprintEvent: async (stage) => {
    const { browser, params } = await onBlueprint(stage);
    const event = { blueprint_id: params.id, title: "Rain by noon?", duration_seconds: 60 };
    return { browser, body: { blueprint_event: event } };
  },
  createBlueprintEvents: async (stage) => {
    const { browser, params } = await onBlueprint(stage);
    const events = [
      { title: "Rain by noon?" },
      { title: "Sun by six?", true_label: "Yes", false_label: "No" },
    ];
    return { browser, body: { blueprint_id: params.id, blueprint_events: events } };
  },
  updatePositions: async (stage) => {
    const { browser, events } = await onBlueprintEvents(stage);
    const turned = events.toReversed().map(({ id }, index) => ({ id, position: index + 1 }));
    return { browser, body: { blueprint_events: turned } };
  },
  showBlueprintEvent: onBlueprintEvent,
  updateBlueprintEvent: async (stage) => ({
    ...(await onBlueprintEvent(stage)),
    body: { blueprint_event: { title: "Snow by noon?" } },
  }),
  destroyBlueprintEvent: onBlueprintEvent,
};
