import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import { blueprintEventsEndpoints, blueprintsEndpoints } from "./endpoints.ts";
import { exportBlueprintCsv, exportBlueprintJson } from "./export-blueprint.ts";
import {
  findBlueprintEventView,
  findBlueprintEventViews,
  findBlueprintView,
  listBlueprints,
  offerBlueprint,
  offerNewBlueprint,
} from "./find-blueprint-views.ts";
import { generateSession } from "./generate-session.ts";
import { planEndpoints } from "./plan-endpoints.ts";
import { readSentFile } from "./plan-files/read-plan-file.ts";
import { leftOutOf } from "./read-import.ts";
import {
  destroyBlueprint,
  destroyBlueprintEvent,
  destroyBlueprintEvents,
  listRemovals,
  restoreRemoval,
} from "./removals.ts";
import {
  createBlueprintEvent,
  createBlueprintEvents,
  importBlueprintEvents,
  updateBlueprintEvent,
  updateBlueprintEvents,
  updatePositions,
} from "./write-blueprint-events.ts";
import {
  createBlueprint,
  createFromSession,
  duplicateBlueprint,
  importBlueprint,
  updateBlueprint,
} from "./write-blueprint.ts";

export function blueprintsRoutes(deps: Deps) {
  return [...ownRoutes(deps), ...blueprintEventRoutes(deps), ...planRoutes(deps)];
}

/** How a changed blueprint, or its changed events, are answered. */
const shown = ({ pool: { db } }: Deps) => ({
  show: async (id: number) => ({ blueprint: await findBlueprintView(db, id) }),
  list: async (id: number) => ({ blueprintEvents: await findBlueprintEventViews(db, id) }),
});

function ownRoutes(deps: Deps) {
  const { db } = deps.pool;
  const { show } = shown(deps);
  return serveEndpoints(blueprintsEndpoints, {
    listBlueprints: ({ query, page, now }) => listBlueprints(db, { query, page }, now),
    offerNewBlueprint: () => offerNewBlueprint(),
    showBlueprint: ({ params }) => show(params.id),
    offerBlueprint: ({ params }) => offerBlueprint(db, params.id),
    createBlueprint: async ({ viewer, body, keyed }) =>
      show(await createBlueprint(deps, { actor: viewer, ...body.blueprint }, keyed)),
    updateBlueprint: async ({ viewer, params, body, ifVersion }) => {
      const command = { actor: viewer, blueprintId: params.id, ifVersion };
      await updateBlueprint(deps, { ...command, ...body.blueprint });
      return show(params.id);
    },
    destroyBlueprint: ({ viewer, params, ifVersion }) =>
      destroyBlueprint(deps, { actor: viewer, blueprintId: params.id, ifVersion }),
    generateSession: async ({ viewer, params, body, keyed }) => {
      const command = { actor: viewer, blueprintId: params.id, ...body.session };
      const { id } = await generateSession(deps, command, keyed);
      return showSession(deps, id, viewer);
    },
  });
}

function blueprintEventRoutes(deps: Deps) {
  const { db } = deps.pool;
  const { list } = shown(deps);
  const show = async (id: number) => ({ blueprintEvent: await findBlueprintEventView(db, id) });
  return serveEndpoints(blueprintEventsEndpoints, {
    createBlueprintEvent: async ({ viewer, body, keyed }) =>
      show(await createBlueprintEvent(deps, { actor: viewer, ...body.blueprintEvent }, keyed)),
    createBlueprintEvents: async ({ viewer, body, keyed }) => {
      await createBlueprintEvents(deps, { actor: viewer, ...body }, keyed);
      return list(body.blueprintId);
    },
    updatePositions: async ({ viewer, body }) =>
      list(await updatePositions(deps, { actor: viewer, positions: body.blueprintEvents })),
    showBlueprintEvent: ({ params }) => show(params.id),
    updateBlueprintEvent: async ({ viewer, params, body, ifVersion }) => {
      const command = { actor: viewer, blueprintEventId: params.id, ifVersion };
      await updateBlueprintEvent(deps, { ...command, ...body.blueprintEvent });
      return show(params.id);
    },
    destroyBlueprintEvent: ({ viewer, params, ifVersion }) =>
      destroyBlueprintEvent(deps, { actor: viewer, blueprintEventId: params.id, ifVersion }),
  });
}

function planRoutes(deps: Deps) {
  const { db } = deps.pool;
  const { show, list } = shown(deps);
  return serveEndpoints(planEndpoints, {
    exportBlueprintCsv: ({ params }) => exportBlueprintCsv(db, params.id),
    exportBlueprintJson: ({ params }) => exportBlueprintJson(db, params.id),
    readPlanFile: async ({ request, body }) => ({ planFile: await readSentFile(body.file, request.headers) }),
    importBlueprint: async ({ viewer, body, keyed }) => ({
      ...(await show(await importBlueprint(deps, { actor: viewer, ...body.blueprint }, keyed))),
      leftOut: await leftOutOf(db, body.blueprint.text),
    }),
    duplicateBlueprint: async ({ viewer, params, keyed }) =>
      show(await duplicateBlueprint(deps, { actor: viewer, blueprintId: params.id }, keyed)),
    createFromSession: async ({ viewer, body, keyed }) =>
      show(await createFromSession(deps, { actor: viewer, ...body.blueprint }, keyed)),
    importBlueprintEvents: async ({ viewer, body, keyed }) => {
      await importBlueprintEvents(deps, { actor: viewer, ...body.plan }, keyed);
      return { ...(await list(body.plan.blueprintId)), leftOut: await leftOutOf(db, body.plan.text) };
    },
    updateBlueprintEvents: async ({ viewer, body }) =>
      list(await updateBlueprintEvents(deps, { actor: viewer, ...body })),
    destroyBlueprintEvents: async ({ viewer, body }) =>
      list(await destroyBlueprintEvents(deps, { actor: viewer, ids: body.ids })),
    listRemovals: async ({ query }) => ({ removals: await listRemovals(db, query.blueprintId) }),
    restoreRemoval: async ({ viewer, params, now }) =>
      show(await restoreRemoval(deps, { actor: viewer, removalId: params.id, now })),
  });
}
