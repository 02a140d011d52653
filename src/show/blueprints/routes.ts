import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { showSession } from "#src/show/sessions/show-session.ts";
import { blueprintEventRoutes } from "./blueprint-event-routes.ts";
import { createBlueprint } from "./create-blueprint.ts";
import { destroyBlueprint } from "./destroy-blueprint.ts";
import { blueprintsEndpoints } from "./endpoints.ts";
import { findBlueprintView } from "./find-blueprint-views.ts";
import { generateSession } from "./generate-session.ts";
import { listBlueprints } from "./list-blueprints.ts";
import { offerBlueprint, offerNewBlueprint } from "./offer-form.ts";
import { planRoutes } from "./plan-routes.ts";
import { updateBlueprint } from "./update-blueprint.ts";

/** Answers the endpoints of blueprints and their events. */
export function blueprintsRoutes(deps: Deps) {
  return new Elysia().use(ownRoutes(deps)).use(blueprintEventRoutes(deps)).use(planRoutes(deps));
}

function ownRoutes(deps: Deps) {
  const { db } = deps.pool;
  const show = async (id: number) => ({ blueprint: await findBlueprintView(db, id) });
  return serveEndpoints(deps, blueprintsEndpoints, {
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
