import { Elysia } from "elysia";
import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { showEvent } from "#src/show/events/show-event.ts";
import { sessionCrud } from "./crud-routes.ts";
import { sessionsEndpoints } from "./endpoints.ts";
import { requireOpenSession } from "./find-session.ts";
import { knownSession } from "./known-reads.ts";
import { listEvents, listKnownEvents } from "./list-events.ts";
import { listSessions } from "./list-sessions.ts";
import { registerPlayer } from "./register-player.ts";
import { canWatch, requireWatcher } from "./require-watcher.ts";
import { sessionActions } from "./session-actions.ts";
import { showRegistration } from "./show-registration.ts";
import { showSession } from "./show-session.ts";

/** Answers the endpoints of sessions. */
export function sessionsRoutes(deps: Deps) {
  return new Elysia().use(watching(deps)).use(sessionActions(deps)).use(sessionCrud(deps));
}

function watching(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(deps, sessionsEndpoints, {
    listSessions: ({ viewer, query, page }) => listSessions(deps, { viewer, query, page }, serverNow()),
    showSession: async ({ request, params, query, authentication }) => {
      const session = await knownSession.find(request, params.id);
      if (session !== null && (authentication.viewer !== null || canWatch(null, session))) return { session };
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return showSession(deps, params.id, viewer);
    },
    listEvents: async ({ request, params, query, page, authentication, now }) => {
      const read = { slugOrId: params.id, viewer: authentication.viewer, page };
      const known = await listKnownEvents(request, read, now);
      if (known !== null) return known;
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return listEvents(db, { slugOrId: params.id, viewer, page }, now);
    },
    showSessionEvent: async ({ params, viewer, now }) => {
      const { id: sessionId } = await requireOpenSession(db, params.id, viewer);
      return showEvent(db, { eventId: params.eventId, sessionId, viewer }, now);
    },
    registerPlayer: async ({ params, viewer, body, keyed, set }) => {
      const command = { slugOrId: params.id, viewer, ...body.registration };
      const { registration, created } = await registerPlayer(deps, command, keyed);
      if (!created) set.status = 200;
      return { registration };
    },
    showRegistration: ({ params: { id: slugOrId, registrationId }, viewer }) =>
      showRegistration(db, { slugOrId, viewer, registrationId }),
  });
}
