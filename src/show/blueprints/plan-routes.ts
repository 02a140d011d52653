import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { createFromSession, duplicateBlueprint, importBlueprint } from "./copy-blueprint.ts";
import { importBlueprintEvents } from "./create-blueprint-events.ts";
import { destroyBlueprintEvents } from "./destroy-blueprint-events.ts";
import { exportBlueprintCsv, exportBlueprintJson } from "./export-blueprint.ts";
import { findBlueprintEventViews, findBlueprintView } from "./find-blueprint-views.ts";
import { listRemovals } from "./find-removals.ts";
import { planEndpoints } from "./plan-endpoints.ts";
import { restoreRemoval } from "./restore-removal.ts";
import { updateBlueprintEvents } from "./update-blueprint-events.ts";

/** Answers the endpoints of plans as a whole. */
export function planRoutes(deps: Deps) {
  const { db } = deps.pool;
  const show = async (id: number) => ({ blueprint: await findBlueprintView(db, id) });
  const list = async (blueprintId: number) => ({
    blueprintEvents: await findBlueprintEventViews(db, blueprintId),
  });
  return serveEndpoints(deps, planEndpoints, {
    exportBlueprintCsv: ({ params }) => exportBlueprintCsv(db, params.id),
    exportBlueprintJson: ({ params }) => exportBlueprintJson(db, params.id),
    importBlueprint: async ({ viewer, body, keyed }) =>
      show(await importBlueprint(deps, { actor: viewer, ...body.blueprint }, keyed)),
    duplicateBlueprint: async ({ viewer, params, keyed }) =>
      show(await duplicateBlueprint(deps, { actor: viewer, blueprintId: params.id }, keyed)),
    createFromSession: async ({ viewer, body, keyed }) =>
      show(await createFromSession(deps, { actor: viewer, ...body.blueprint }, keyed)),
    importBlueprintEvents: async ({ viewer, body, keyed }) => {
      await importBlueprintEvents(deps, { actor: viewer, ...body.plan }, keyed);
      return list(body.plan.blueprintId);
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
