import { asc, eq } from "drizzle-orm";
import { blueprintEvents } from "#db/schema/blueprints.ts";
import { buildBlueprint } from "#tests/support/build.ts";
import type { Happy, Prepare, Fixture } from "./fixture.ts";
import { happyPlans } from "./happy-plans.ts";
import { nextFriday } from "./next-friday.ts";

async function onBlueprint({ deps, admin }: Fixture) {
  return { browser: admin.browser, params: { id: (await buildBlueprint(deps, [{}, {}])).id } };
}

/** The events of a new blueprint, requested by an admin. */
async function onBlueprintEvents(fixture: Fixture) {
  const { browser, params } = await onBlueprint(fixture);
  const events = await fixture.deps.pool.db
    .select({ id: blueprintEvents.id })
    .from(blueprintEvents)
    .where(eq(blueprintEvents.blueprintId, params.id))
    .orderBy(asc(blueprintEvents.position));
  const [first] = events;
  return { browser, params: { id: first?.id ?? 0 }, events };
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
    const { browser, events } = await onBlueprintEvents(fixture);
    const reversed = events.toReversed().map(({ id }, index) => ({ id, position: index + 1 }));
    return { browser, body: { blueprint_events: reversed } };
  },
  showBlueprintEvent: onBlueprintEvent,
  updateBlueprintEvent: async (fixture) => ({
    ...(await onBlueprintEvent(fixture)),
    body: { blueprint_event: { title: "Snow by noon?" } },
  }),
  destroyBlueprintEvent: onBlueprintEvent,
  ...happyPlans,
};
