import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import { viewingAs } from "#src/events/viewing.ts";
import { requireAdmin } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { activateSession } from "./activate-session.ts";
import { changeSessionState } from "./change-session-state.ts";
import { deactivateSession } from "./deactivate-session.ts";
import { requireSession } from "./find-session.ts";
import { pauseSession } from "./pause-session.ts";
import { readOrder } from "./read-order.ts";
import { reorderEvents } from "./reorder-events.ts";
import { resumeSession } from "./resume-session.ts";
import { startSession } from "./start-session.ts";
import { stopSession } from "./stop-session.ts";

/** The actions of a session, by their paths: for admins. */
export function sessionActions(deps: Deps) {
  return new Elysia({ name: "session-actions" })
    .use(visiting(deps))
    .put("/api/v1/sessions/:id/activate", ({ params, visit }) =>
      changeSessionState(deps, activateSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .put("/api/v1/sessions/:id/deactivate", ({ params, visit }) =>
      changeSessionState(deps, deactivateSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .put("/api/v1/sessions/:id/start", ({ params, visit }) =>
      changeSessionState(deps, startSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .put("/api/v1/sessions/:id/pause", ({ params, visit }) =>
      changeSessionState(deps, pauseSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .put("/api/v1/sessions/:id/resume", ({ params, visit }) =>
      changeSessionState(deps, resumeSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .put("/api/v1/sessions/:id/stop", ({ params, visit }) =>
      changeSessionState(deps, stopSession, { slugOrId: params.id, viewer: requireAdmin(visit) }),
    )
    .post("/api/v1/sessions/:id/events/batch_update_positions", async ({ params, body, visit }) => {
      const actor = requireAdmin(visit);
      const { id: sessionId } = await requireSession(deps.pool.db, params.id);
      await reorderEvents(deps, { sessionId, actor, eventIds: readOrder(body) });
      return { events: await findEventViews(deps.pool.db, { sessionId, ...viewingAs(actor, new Date()) }) };
    });
}
