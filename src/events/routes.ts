import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { readId } from "#src/http/read-id.ts";
import { requireAdmin, requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { changeEventState } from "./change-event-state.ts";
import { destroyEvent } from "./destroy-event.ts";
import { readStateChange } from "./read-state-change.ts";
import { showEvent } from "./show-event.ts";

/** Single events: reading one, and (admins) moving it from state to state. */
export function eventsRoutes(deps: Deps) {
  return new Elysia({ name: "events" })
    .use(visiting(deps))
    .get("/api/v1/events/:id", ({ params, visit }) =>
      showEvent(deps.pool.db, { eventId: readId(params.id), viewer: requireViewer(visit) }, new Date()),
    )
    .delete("/api/v1/events/:id", async ({ params, visit, set }) => {
      await destroyEvent(deps, { eventId: readId(params.id), actor: requireAdmin(visit) });
      set.status = 204;
    })
    .patch("/api/v1/events/:id/state", async ({ params, body, visit }) => {
      const viewer = requireAdmin(visit);
      const { id: eventId } = await changeEventState(deps, readStateChange(viewer, params.id, body));
      return showEvent(deps.pool.db, { eventId, viewer }, new Date());
    });
}
