import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { createBlueprintEvent } from "./create-blueprint-event.ts";
import { createBlueprintEvents } from "./create-blueprint-events.ts";
import { destroyBlueprintEvent } from "./destroy-blueprint-event.ts";
import { blueprintEventsEndpoints } from "./endpoints.ts";
import { findBlueprintEventView, findBlueprintEventViews } from "./find-blueprint-views.ts";
import { updateBlueprintEvent } from "./update-blueprint-event.ts";
import { updatePositions } from "./update-positions.ts";

/** Answers the endpoints of the events of blueprints. */
export function blueprintEventRoutes(deps: Deps) {
  const { db } = deps.pool;
  const show = async (id: number) => ({ blueprintEvent: await findBlueprintEventView(db, id) });
  const list = async (blueprintId: number) => ({
    blueprintEvents: await findBlueprintEventViews(db, blueprintId),
  });
  return serveEndpoints(deps, blueprintEventsEndpoints, {
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
