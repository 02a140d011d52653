import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { showEvent } from "#src/events/show-event.ts";
import { readId } from "#src/http/read-id.ts";
import { readPage } from "#src/http/read-query.ts";
import { requireViewer } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { sessionCrud } from "./crud-routes.ts";
import { requireSession } from "./find-session.ts";
import { listEvents } from "./list-events.ts";
import { listSessions } from "./list-sessions.ts";
import { registrationRoutes } from "./registration-routes.ts";
import { requireWatcher } from "./require-watcher.ts";
import { sessionActions } from "./session-actions.ts";
import { showSession } from "./show-session.ts";

/** Sessions with their events and registrations, and (admins) their changes and actions. `:id` is a slug or an id. */
export function sessionsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return new Elysia({ name: "sessions" })
    .use(visiting(deps))
    .get("/api/v1/sessions", ({ query, visit }) =>
      listSessions(deps, requireViewer(visit), query, new Date()),
    )
    .get("/api/v1/sessions/:id", async ({ params, visit }) =>
      showSession(deps, params.id, await requireWatcher(db, visit, params.id)),
    )
    .get("/api/v1/sessions/:id/events", async ({ params, query, visit }) => {
      const viewer = await requireWatcher(db, visit, params.id);
      return listEvents(db, { slugOrId: params.id, viewer, page: readPage(query) }, new Date());
    })
    .get("/api/v1/sessions/:id/events/:eventId", async ({ params, visit }) => {
      const viewer = requireViewer(visit);
      const { id: sessionId } = await requireSession(db, params.id);
      return showEvent(db, { eventId: readId(params.eventId), sessionId, viewer }, new Date());
    })
    .use(sessionActions(deps))
    .use(sessionCrud(deps))
    .use(registrationRoutes(deps));
}
