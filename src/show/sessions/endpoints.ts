import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { readLate } from "#src/http/read-late.ts";
import { refuseDock } from "#src/people/sign-ins/access-tokens.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { forHosts, slugOrId } from "#src/play/session-endpoints.ts";
import { findEventViews, viewingAs } from "#src/show/events/find-event-views.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
import { showEvent } from "#src/show/events/show-event.ts";
import { activateSession, deactivateSession } from "./activate-session.ts";
import { createSession, destroySession } from "./create-session.ts";
import { listSessions, showSession } from "./find-session-views.ts";
import { requireOpenSession } from "./find-session.ts";
import { listAudit } from "./list-audit.ts";
import { listEvents, listKnownEvents } from "./list-events.ts";
import { pauseSession, resumeSession } from "./pause-session.ts";
import { registerPlayer, showRegistration } from "./register-player.ts";
import { reorderEvents } from "./reorder-events.ts";
import { canWatch, requireWatcher } from "./require-watcher.ts";
import {
  auditAnswer,
  createSessionBody,
  eventPositionsBody,
  orderedEventsAnswer,
  registerPlayerBody,
  registrationAnswer,
  sessionAnswer,
  sessionsAnswer,
  sessionsQuery,
  stageQuery,
  startSessionBody,
  updateSessionBody,
  type EventPositionsBody,
} from "./schemas.ts";
import { showBlueprintPicture, showEventPicture } from "./show-picture.ts";
import { startSession, takeBackStart } from "./start-session.ts";
import { stopSession, takeBackStop } from "./stop-session.ts";
import { updateSession } from "./update-session.ts";
import type { SessionCommand, SessionRow } from "./with-session.ts";

const forScreens =
  "With `key` it is read for a big screen, which everybody may see from the activation until 24 hours after the stop, and at any time with the key of its stage link. Without a link `key` is empty.";

export const sessionsEndpoints = {
  listSessions: endpoint({
    route: "GET /api/v1/sessions",
    summary: "Lists the sessions, those that are live first",
    who: "viewer",
    query: sessionsQuery.entries,
    paged: true,
    answer: sessionsAnswer,
    etag: true,
    handle: (deps, { viewer, query, page }) => listSessions(deps, { viewer, query, page }, serverNow()),
  }),
  showSession: endpoint({
    route: "GET /api/v1/sessions/:id",
    summary: "Shows a session, by its slug or its id",
    notes: forScreens,
    who: "watcher",
    params: slugOrId,
    query: stageQuery.entries,
    answer: sessionAnswer,
    etag: true,
    reads: { part: "session", by: "id" },
    handle: async (deps, { context, params, query, authentication }) => {
      const session = (await context.knownSession?.(params.id)) ?? null;
      if (session !== null && (authentication.viewer !== null || canWatch(null, session))) return { session };
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return showSession(deps, params.id, viewer);
    },
  }),
  listEvents: endpoint({
    route: "GET /api/v1/sessions/:id/events",
    summary: "Lists the events of a session in their order",
    notes: forScreens,
    who: "watcher",
    params: slugOrId,
    query: stageQuery.entries,
    paged: true,
    answer: eventsAnswer,
    etag: true,
    reads: { part: "events", by: "id" },
    handle: async (deps, { context, params, query, page, authentication, now }) => {
      const read = { slugOrId: params.id, viewer: authentication.viewer, page };
      const known = await listKnownEvents(context, read, now);
      if (known !== null) return known;
      const viewer = await requireWatcher(deps, authentication, { slugOrId: params.id, ...query });
      return listEvents(deps.pool.db, { slugOrId: params.id, viewer, page }, now);
    },
  }),
  showSessionEvent: endpoint({
    route: "GET /api/v1/sessions/:id/events/:eventId",
    summary: "Shows an event of a session",
    who: "viewer",
    params: slugOrId,
    answer: eventAnswer,
    etag: true,
    handle: async (deps, { params, viewer, now }) => {
      const { id: sessionId } = await requireOpenSession(deps.pool.db, params.id, viewer);
      return showEvent(deps.pool.db, { eventId: params.eventId, sessionId, viewer }, now);
    },
  }),
  showEventPicture: endpoint({
    route: "GET /api/v1/events/:id/pictures/:key",
    summary: "Serves the picture of an event",
    notes: `It opens for who may read the event. ${forScreens}`,
    who: "watcher",
    params: { key: "text" },
    query: stageQuery.entries,
    answer: "file",
    handle: (deps, { params, query, authentication }) =>
      showEventPicture(deps, authentication, { ...params, stageKey: query.key ?? "" }),
  }),
  showBlueprintPicture: endpoint({
    route: "GET /api/v1/blueprint_events/:id/pictures/:key",
    summary: "Serves the picture of a blueprint's event",
    who: "admin",
    params: { key: "text" },
    answer: "file",
    handle: (deps, { params }) => showBlueprintPicture(deps, params),
  }),
  registerPlayer: endpoint({
    route: "POST /api/v1/sessions/:id/registrations",
    summary: "Joins a session",
    notes: "A repeated request gets 200 with the same registration. Guests join by their first call.",
    who: "account",
    params: slugOrId,
    body: { registration: registerPlayerBody },
    bodyOptional: true,
    answer: registrationAnswer,
    creates: true,
    repeatedStatus: 200,
    handle: async (deps, { params, viewer, body, keyed, set }) => {
      const command = { slugOrId: params.id, viewer, ...body.registration };
      const { registration, created } = await registerPlayer(deps, command, keyed);
      if (!created) set.status = 200;
      return { registration };
    },
  }),
  showRegistration: endpoint({
    route: "GET /api/v1/sessions/:id/registrations/:registrationId",
    summary: "Shows the viewer's own registration in a session; admins can read every registration",
    who: "viewer",
    params: slugOrId,
    answer: registrationAnswer,
    handle: (deps, { params: { id: slugOrId, registrationId }, viewer }) =>
      showRegistration(deps.pool.db, { slugOrId, viewer, registrationId }),
  }),
};

/** Creating, changing and deleting sessions, and the audit log. */
export const sessionCrudEndpoints = {
  createSession: endpoint({
    route: "POST /api/v1/sessions",
    summary: "Creates a session",
    who: "admin",
    token: "run",
    body: { session: createSessionBody },
    answer: sessionAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) => {
      const { id } = await createSession(deps, { actor: viewer, ...body.session }, keyed);
      return showSession(deps, id, viewer);
    },
  }),
  updateSession: endpoint({
    ...forHosts,
    route: "PATCH /api/v1/sessions/:id",
    summary: "Changes a session",
    notes:
      "`settings.smallRoom` can be changed only by an admin, and before the start. With `settings.voidUncalled` an event that nobody has called is voided when the time for its result has ended. With `settings.houseDollar`, the default, players without money can call up to $1.00 on the house. A session with `settings.private` is listed for admins, for its hosts and for those who have joined it, and unknown to everybody else; its join code lets players in. With `settings.locked` nobody comes in who is not in yet; with `settings.givenNames` new guests get a name. `settings.teams` names 2 to 12 teams, or none; those that have players keep their places, and their names can change.",
    token: "run",
    body: { session: updateSessionBody },
    answer: sessionAnswer,
    versioned: true,
    handle: async (deps, { viewer, params, body, ifVersion }) => {
      const command = { sessionId: params.id, actor: viewer, changes: body.session, ifVersion };
      const { id } = await updateSession(deps, command);
      return showSession(deps, id, viewer);
    },
  }),
  listAudit: endpoint({
    ...forHosts,
    route: "GET /api/v1/sessions/:id/audit",
    summary: "Lists the audit log of a session, newest first",
    paged: true,
    newestFirst: true,
    answer: auditAnswer,
    etag: true,
    handle: (deps, { request, params, page, now }) =>
      readLate(deps, request, ({ pool }) => listAudit(pool.db, { slugOrId: params.id, page }, now)),
  }),
  destroySession: endpoint({
    route: "DELETE /api/v1/sessions/:id",
    summary: "Deletes a session that has not started, with its events",
    who: "admin",
    params: slugOrId,
    versioned: true,
    refusals: { dependents: "It has started, or has calls, registrations or messages." },
    handle: (deps, { viewer, params, ifVersion }) =>
      destroySession(deps, { sessionId: params.id, actor: viewer, ifVersion }),
  }),
};

const takesBack =
  "Who does it and has calls on open events gets them back first, as far as a player may take back a call, unless the session is a small room; the audit says so.";

const action = { ...forHosts, token: "run", answer: sessionAnswer, versioned: true } as const;

export const sessionActionsEndpoints = {
  activateSession: endpoint({
    ...action,
    route: "PUT /api/v1/sessions/:id/activate",
    summary: "Makes this the active session, to which players are taken",
    handle: perform(activateSession),
  }),
  deactivateSession: endpoint({
    ...action,
    route: "PUT /api/v1/sessions/:id/deactivate",
    summary: "Makes this session inactive: players are no longer taken to it",
    handle: perform(deactivateSession),
  }),
  startSession: endpoint({
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/start",
    summary: "Starts a session",
    notes:
      "The first event opens `in_seconds` later (0 to 600, default 0), so that players can read its question; the whole plan moves with it. With `activate` players are sent here, also if another session was the active one.",
    body: { session: startSessionBody },
    bodyOptional: true,
    handle: (deps, { body, ...request }) => {
      // It would take the players of another show.
      if (body.session.activate) refuseDock(request.authentication);
      return perform((_, command) => startSession(deps, { ...command, ...body.session }))(deps, request);
    },
  }),
  pauseSession: endpoint({
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/pause",
    summary: "Pauses a session: no calls are accepted and all clocks stop",
    notes: takesBack,
    handle: perform(pauseSession),
  }),
  resumeSession: endpoint({
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/resume",
    summary: "Resumes a paused session",
    handle: perform(resumeSession),
  }),
  stopSession: endpoint({
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/stop",
    summary: "Stops a session, for good after a minute",
    notes: takesBack,
    handle: perform(stopSession),
  }),
  takeBackStart: endpoint({
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/take_back_start",
    summary: "Takes the start of a session back: it waits for its start again",
    notes:
      "Possible while nobody has placed a call in it. What it has published becomes a draft again; planned times go, and the next start plans anew. Join code, players, teams, reminders and hosts stay, and players who are sent here stay here.",
    handle: perform(takeBackStart),
  }),
  takeBackStop: endpoint({
    ...action,
    route: "PUT /api/v1/sessions/:id/take_back_stop",
    summary: "Undoes the stop of a session, within 60 s",
    notes:
      "It runs again, or is paused again, with its plan moved by the time between. An event that was open stays closed: its calls are valid and wait for the result. No money moves.",
    handle: perform(takeBackStop),
  }),
  reorderEvents: endpoint({
    ...forHosts,
    route: "POST /api/v1/sessions/:id/events/batch_update_positions",
    summary: "Reorders the events that have not opened",
    notes:
      "The body lists all of them. If the list no longer matches the events that can be reordered, the answer is 409.",
    token: "run",
    body: { events: eventPositionsBody },
    bodyMax: { bytes: 64 * 1_024, values: 5_000 },
    answer: orderedEventsAnswer,
    versioned: true,
    handle: async (deps, { params, viewer, body, ifVersion, now }) => {
      const command = { sessionId: params.id, actor: viewer, eventIds: readEventIds(body.events), ifVersion };
      const { id: sessionId } = await reorderEvents(deps, command);
      return {
        events: await findEventViews(deps.pool.db, { sessionId, ...viewingAs(viewer, { runs: true, now }) }),
      };
    },
  }),
};

function perform(verb: SessionVerb) {
  return async (deps: Deps, { params, viewer, ifVersion }: ActionRequest) => {
    const { id } = await verb(deps, { sessionId: params.id, actor: viewer, ifVersion });
    return showSession(deps, id, viewer);
  };
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
