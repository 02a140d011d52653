import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { advanceEvent } from "./advance-event.ts";
import { changeEventState } from "./change-event-state.ts";
import { createEventBody, updateEventBody } from "./contract.ts";
import { createEvent } from "./create-event.ts";
import { delayEvent } from "./delay-event.ts";
import { destroyEvent } from "./destroy-event.ts";
import { listAllEvents } from "./list-all-events.ts";
import { previewResult } from "./preview-result.ts";
import { readAction, readDelay } from "./read-action.ts";
import { readStateChange } from "./read-state-change.ts";
import { recomputeSettlement } from "./recompute-settlement.ts";
import { showEvent } from "./show-event.ts";
import { showSettlement } from "./show-settlement.ts";
import { skipEvent } from "./skip-event.ts";
import { updateEvent } from "./update-event.ts";

/** Single events: reading one, and (admins) moving it from state to state. */
export function eventsRoutes(deps: Deps) {
  return new Elysia({ name: "events" })
    .use(visiting(deps))
    .get("/api/v1/events", ({ query, visit }) =>
      listAllEvents(deps.pool.db, requireViewer(visit), query, new Date()),
    )
    .post("/api/v1/events", async ({ body, visit, set }) => {
      const viewer = requireAdmin(visit);
      const { id } = await createEvent(deps, { ...readBody(body, "event", createEventBody), actor: viewer });
      set.status = 201;
      return showEvent(deps.pool.db, { eventId: id, viewer }, new Date());
    })
    .patch("/api/v1/events/:id", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const changes = readBody(body, "event", updateEventBody);
      const { id } = await updateEvent(deps, { eventId: readId(params.id), actor: viewer, changes });
      return showEvent(deps.pool.db, { eventId: id, viewer }, new Date());
    })
    .get("/api/v1/events/:id", ({ params, visit }) =>
      showEvent(deps.pool.db, { eventId: readId(params.id), viewer: requireViewer(visit) }, new Date()),
    )
    .delete("/api/v1/events/:id", async ({ params, visit, set }) => {
      await destroyEvent(deps, { eventId: readId(params.id), actor: requireAdmin(visit) });
      set.status = 204;
    })
    .put("/api/v1/events/:id/advance", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const { id } = await advanceEvent(deps, readAction(viewer, params, body));
      return showEvent(deps.pool.db, { eventId: id, viewer }, new Date());
    })
    .put("/api/v1/events/:id/skip", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const { id } = await skipEvent(deps, readAction(viewer, params, body));
      return showEvent(deps.pool.db, { eventId: id, viewer }, new Date());
    })
    .put("/api/v1/events/:id/delay", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const { id } = await delayEvent(deps, readDelay(viewer, params, body));
      return showEvent(deps.pool.db, { eventId: id, viewer }, new Date());
    })
    .get("/api/v1/events/:id/preview", ({ params, query, visit }) => {
      requireAdmin(visit);
      return previewResult(deps.pool.db, readId(params.id), query);
    })
    .get("/api/v1/events/:id/settlement", ({ params, visit }) =>
      showSettlement(deps.pool.db, { eventId: readId(params.id), viewer: requireViewer(visit) }, new Date()),
    )
    .get("/api/v1/events/:id/recomputation", async ({ params, visit }) => {
      const viewer = requireViewer(visit);
      await limitRate(deps, rates.recompute, visit);
      return recomputeSettlement(deps.pool.db, { eventId: readId(params.id), viewer }, new Date());
    })
    .patch("/api/v1/events/:id/state", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const { id: eventId } = await changeEventState(deps, readStateChange(viewer, params.id, body));
      return showEvent(deps.pool.db, { eventId, viewer }, new Date());
    });
}
