import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { generateSessionBody } from "#src/sessions/contract.ts";
import { showSession } from "#src/sessions/show-session.ts";
import { requireAdmin } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { blueprintEventRoutes } from "./blueprint-event-routes.ts";
import { createBlueprintBody, updateBlueprintBody } from "./contract.ts";
import { createBlueprint } from "./create-blueprint.ts";
import { destroyBlueprint } from "./destroy-blueprint.ts";
import { findBlueprintView } from "./find-blueprint-views.ts";
import { generateSession } from "./generate-session.ts";
import { listBlueprints } from "./list-blueprints.ts";
import { offerBlueprint, offerNewBlueprint } from "./offer-form.ts";
import { updateBlueprint } from "./update-blueprint.ts";

/** Blueprints, their events and the sessions made from them: all for admins. */
export function blueprintsRoutes(deps: Deps) {
  return new Elysia({ name: "blueprints" })
    .use(readingRoutes(deps))
    .use(writingRoutes(deps))
    .use(blueprintEventRoutes(deps));
}

function readingRoutes(deps: Deps) {
  const { db } = deps.pool;
  return new Elysia({ name: "blueprints-reading" })
    .use(visiting(deps))
    .get("/api/v1/blueprints", ({ query, visit }) => {
      requireAdmin(visit);
      return listBlueprints(db, query, new Date());
    })
    .get("/api/v1/blueprints/new", ({ visit }) => {
      requireAdmin(visit);
      return offerNewBlueprint();
    })
    .get("/api/v1/blueprints/:id", async ({ params, visit }) => {
      requireAdmin(visit);
      return { blueprint: await findBlueprintView(db, readId(params.id)) };
    })
    .get("/api/v1/blueprints/:id/edit", ({ params, visit }) => {
      requireAdmin(visit);
      return offerBlueprint(db, readId(params.id));
    });
}

function writingRoutes(deps: Deps) {
  const { db } = deps.pool;
  return new Elysia({ name: "blueprints-writing" })
    .use(visiting(deps))
    .post("/api/v1/blueprints", async ({ body, visit, set }) => {
      const actor = requireAdmin(visit);
      const id = await createBlueprint(deps, { actor, ...readBody(body, "blueprint", createBlueprintBody) });
      set.status = 201;
      return { blueprint: await findBlueprintView(db, id) };
    })
    .patch("/api/v1/blueprints/:id", async ({ params, body, visit }) => {
      const order = { actor: requireAdmin(visit), blueprintId: readId(params.id) };
      await updateBlueprint(deps, { ...order, ...readBody(body, "blueprint", updateBlueprintBody) });
      return { blueprint: await findBlueprintView(db, order.blueprintId) };
    })
    .delete("/api/v1/blueprints/:id", async ({ params, visit, set }) => {
      await destroyBlueprint(deps, { actor: requireAdmin(visit), blueprintId: readId(params.id) });
      set.status = 204;
    })
    .post("/api/v1/blueprints/:id/generate_session", async ({ params, body, visit, set }) => {
      const order = { actor: requireAdmin(visit), blueprintId: readId(params.id) };
      const session = readBody(body ?? { session: {} }, "session", generateSessionBody);
      const { id } = await generateSession(deps, { ...order, ...session });
      set.status = 201;
      return showSession(deps, id, order.actor);
    });
}
