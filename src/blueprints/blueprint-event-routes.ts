import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAdmin } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { createBlueprintEventBody, updateBlueprintEventBody } from "./contract.ts";
import { createBlueprintEvent } from "./create-blueprint-event.ts";
import { createBlueprintEvents, readNewEvents } from "./create-blueprint-events.ts";
import { destroyBlueprintEvent } from "./destroy-blueprint-event.ts";
import { findBlueprintEventView, findBlueprintEventViews } from "./find-blueprint-views.ts";
import { updateBlueprintEvent } from "./update-blueprint-event.ts";
import { readPositions, updatePositions } from "./update-positions.ts";

/** The events of blueprints, one by one, as a list, and all of a blueprint in another order. */
export function blueprintEventRoutes(deps: Deps) {
  const { db } = deps.pool;
  return new Elysia({ name: "blueprint-events" })
    .use(visiting(deps))
    .post("/api/v1/blueprint_events", async ({ body, visit, set }) => {
      const actor = requireAdmin(visit);
      const wanted = readBody(body, "blueprintEvent", createBlueprintEventBody);
      const id = await createBlueprintEvent(deps, { actor, ...wanted });
      set.status = 201;
      return { blueprintEvent: await findBlueprintEventView(db, id) };
    })
    .post("/api/v1/blueprint_events/batch_create", async ({ body, visit, set }) => {
      const wanted = { actor: requireAdmin(visit), ...readNewEvents(body) };
      await createBlueprintEvents(deps, wanted);
      set.status = 201;
      return { blueprintEvents: await findBlueprintEventViews(db, wanted.blueprintId) };
    })
    .post("/api/v1/blueprint_events/batch_update_positions", async ({ body, visit }) => {
      const actor = requireAdmin(visit);
      const blueprintId = await updatePositions(deps, { actor, positions: readPositions(body) });
      return { blueprintEvents: await findBlueprintEventViews(db, blueprintId) };
    })
    .get("/api/v1/blueprint_events/:id", async ({ params, visit }) => {
      requireAdmin(visit);
      return { blueprintEvent: await findBlueprintEventView(db, readId(params.id)) };
    })
    .patch("/api/v1/blueprint_events/:id", async ({ params, body, visit }) => {
      const order = { actor: requireAdmin(visit), blueprintEventId: readId(params.id) };
      const changes = readBody(body, "blueprintEvent", updateBlueprintEventBody);
      await updateBlueprintEvent(deps, { ...order, ...changes });
      return { blueprintEvent: await findBlueprintEventView(db, order.blueprintEventId) };
    })
    .delete("/api/v1/blueprint_events/:id", async ({ params, visit, set }) => {
      await destroyBlueprintEvent(deps, {
        actor: requireAdmin(visit),
        blueprintEventId: readId(params.id),
      });
      set.status = 204;
    });
}
