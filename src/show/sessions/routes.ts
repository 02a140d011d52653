import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readLate } from "#src/http/read-late.ts";
import { refuseDock } from "#src/people/sign-ins/access-tokens.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findEventViews, viewingAs } from "#src/show/events/find-event-views.ts";
import { showEvent } from "#src/show/events/show-event.ts";
import { activateSession, deactivateSession } from "./activate-session.ts";
import { createSession, destroySession } from "./create-session.ts";
import { sessionActionsEndpoints, sessionCrudEndpoints, sessionsEndpoints } from "./endpoints.ts";
import { listSessions, showSession } from "./find-session-views.ts";
import { requireOpenSession } from "./find-session.ts";
import { listAudit } from "./list-audit.ts";
import { listEvents, listKnownEvents } from "./list-events.ts";
import { pauseSession, resumeSession } from "./pause-session.ts";
import { registerPlayer, showRegistration } from "./register-player.ts";
import { reorderEvents } from "./reorder-events.ts";
import { canWatch, requireWatcher } from "./require-watcher.ts";
import type { EventPositionsBody } from "./schemas.ts";
import { showBlueprintPicture, showEventPicture } from "./show-picture.ts";
import { startSession, takeBackStart } from "./start-session.ts";
import { stopSession, takeBackStop } from "./stop-session.ts";
import { updateSession } from "./update-session.ts";
import type { SessionCommand, SessionRow } from "./with-session.ts";

export function sessionsRoutes(deps: Deps) {
  return [...watching(deps), ...sessionActions(deps), ...sessionCrud(deps)];
}

function watching(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(sessionsEndpoints, {
    listSessions: ({ viewer, query, page }) => listSessions(deps, { viewer, query, page }, serverNow()),
    showSession: async ({ context, params, query, authentication }) => {
      const session = (await context.knownSession?.(params.id)) ?? null;
      if (session !== null && (authentication.viewer !== null || canWatch(null, session))) return { session };
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return showSession(deps, params.id, viewer);
    },
    listEvents: async ({ context, params, query, page, authentication, now }) => {
      const read = { slugOrId: params.id, viewer: authentication.viewer, page };
      const known = await listKnownEvents(context, read, now);
      if (known !== null) return known;
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return listEvents(db, { slugOrId: params.id, viewer, page }, now);
    },
    showSessionEvent: async ({ params, viewer, now }) => {
      const { id: sessionId } = await requireOpenSession(db, params.id, viewer);
      return showEvent(db, { eventId: params.eventId, sessionId, viewer }, now);
    },
    showEventPicture: ({ params, query, authentication }) =>
      showEventPicture(deps, authentication, { ...params, stageKey: query.key ?? "" }),
    showBlueprintPicture: ({ params }) => showBlueprintPicture(deps, params),
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

function sessionCrud(deps: Deps) {
  return serveEndpoints(sessionCrudEndpoints, {
    createSession: async ({ viewer, body, keyed }) => {
      const { id } = await createSession(deps, { actor: viewer, ...body.session }, keyed);
      return showSession(deps, id, viewer);
    },
    updateSession: async ({ viewer, params, body, ifVersion }) => {
      const command = { sessionId: params.id, actor: viewer, changes: body.session, ifVersion };
      const { id } = await updateSession(deps, command);
      return showSession(deps, id, viewer);
    },
    listAudit: ({ request, params, page, now }) =>
      readLate(deps, request, ({ pool }) => listAudit(pool.db, { slugOrId: params.id, page }, now)),
    destroySession: ({ viewer, params, ifVersion }) =>
      destroySession(deps, { sessionId: params.id, actor: viewer, ifVersion }),
  });
}

function sessionActions(deps: Deps) {
  const { db } = deps.pool;
  const perform =
    (verb: SessionVerb) =>
    async ({ params, viewer, ifVersion }: ActionRequest) => {
      const { id } = await verb(deps, { sessionId: params.id, actor: viewer, ifVersion });
      return showSession(deps, id, viewer);
    };
  return serveEndpoints(sessionActionsEndpoints, {
    activateSession: perform(activateSession),
    deactivateSession: perform(deactivateSession),
    startSession: ({ body, ...request }) => {
      // It would take the players of another show.
      if (body.session.activate) refuseDock(request.authentication);
      return perform((_, command) => startSession(deps, { ...command, ...body.session }))(request);
    },
    pauseSession: perform(pauseSession),
    resumeSession: perform(resumeSession),
    stopSession: perform(stopSession),
    takeBackStart: perform(takeBackStart),
    takeBackStop: perform(takeBackStop),
    reorderEvents: async ({ params, viewer, body, ifVersion, now }) => {
      const command = { sessionId: params.id, actor: viewer, eventIds: readEventIds(body.events), ifVersion };
      const { id: sessionId } = await reorderEvents(deps, command);
      return { events: await findEventViews(db, { sessionId, ...viewingAs(viewer, { runs: true, now }) }) };
    },
  });
}

/** A command that changes a session's state or its active flag. */
type SessionVerb = (deps: Deps, command: SessionCommand) => Promise<SessionRow>;
type ActionRequest = { params: { id: string }; viewer: Viewer; ifVersion: number | null };

/**
 * The ids of the events in the order of their positions. Gaps between positions are allowed.
 * @throws Refusal 422 for an event or a position that is listed twice.
 */
function readEventIds(body: EventPositionsBody): number[] {
  const sorted = body.toSorted((one, other) => one.position - other.position);
  const ids = sorted.map(({ id }) => id);
  const positions = new Set(sorted.map(({ position }) => position));
  if (new Set(ids).size < ids.length || positions.size < ids.length)
    throw invalid({ events: ["is invalid"] });
  return ids;
}
