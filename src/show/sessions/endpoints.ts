import type { Endpoints } from "#src/http/endpoint.ts";
import { eventAnswer, eventsAnswer } from "#src/show/events/schemas.ts";
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
} from "./schemas.ts";

const slugOrId = { id: "text" } as const;
const forScreens =
  "With `key` it is read for a big screen, which everybody may see from the activation until 24 hours after the stop, and at any time with the key of its stage link. Without a link `key` is empty.";

/** Reading sessions and their events, and joining them. */
export const sessionsEndpoints = {
  listSessions: {
    route: "GET /api/v1/sessions",
    summary: "Lists the sessions, those that are live first",
    who: "viewer",
    query: sessionsQuery.entries,
    paged: true,
    answer: sessionsAnswer,
    etag: true,
  },
  showSession: {
    route: "GET /api/v1/sessions/:id",
    summary: "Shows a session, by its slug or its id",
    notes: forScreens,
    who: "watcher",
    params: slugOrId,
    query: stageQuery.entries,
    answer: sessionAnswer,
    etag: true,
    reads: { part: "session", by: "id" },
  },
  listEvents: {
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
  },
  showSessionEvent: {
    route: "GET /api/v1/sessions/:id/events/:eventId",
    summary: "Shows an event of a session",
    who: "viewer",
    params: slugOrId,
    answer: eventAnswer,
    etag: true,
  },
  showEventPicture: {
    route: "GET /api/v1/events/:id/pictures/:key",
    summary: "Serves the picture of an event",
    notes: `It opens for who may read the event. ${forScreens}`,
    who: "watcher",
    params: { key: "text" },
    query: stageQuery.entries,
    answer: "file",
  },
  showBlueprintPicture: {
    route: "GET /api/v1/blueprint_events/:id/pictures/:key",
    summary: "Serves the picture of a blueprint's event",
    who: "admin",
    params: { key: "text" },
    answer: "file",
  },
  registerPlayer: {
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
  },
  showRegistration: {
    route: "GET /api/v1/sessions/:id/registrations/:registrationId",
    summary: "Shows the viewer's own registration in a session; admins can read every registration",
    who: "viewer",
    params: slugOrId,
    answer: registrationAnswer,
  },
} as const satisfies Endpoints;

/** Creating, changing and deleting sessions, and the audit log. */
export const sessionCrudEndpoints = {
  createSession: {
    route: "POST /api/v1/sessions",
    summary: "Creates a session",
    who: "admin",
    token: "run",
    body: { session: createSessionBody },
    answer: sessionAnswer,
    creates: true,
  },
  updateSession: {
    route: "PATCH /api/v1/sessions/:id",
    summary: "Changes a session",
    notes:
      "`settings.smallRoom` can be changed only by an admin, and before the start. With `settings.voidUncalled` an event that nobody has called is voided when the time for its result has ended. With `settings.houseDollar`, the default, players without money can call up to $1.00 on the house. A session with `settings.private` is listed for admins, for its hosts and for those who have joined it, and unknown to everybody else; its join code lets players in. With `settings.locked` nobody comes in who is not in yet; with `settings.givenNames` new guests get a name. `settings.teams` names 2 to 12 teams, or none; those that have players keep their places, and their names can change.",
    who: "host",
    token: "run",
    session: "id",
    params: slugOrId,
    body: { session: updateSessionBody },
    answer: sessionAnswer,
    versioned: true,
  },
  listAudit: {
    route: "GET /api/v1/sessions/:id/audit",
    summary: "Lists the audit log of a session, newest first",
    who: "host",
    session: "id",
    params: slugOrId,
    paged: true,
    newestFirst: true,
    answer: auditAnswer,
    etag: true,
  },
  destroySession: {
    route: "DELETE /api/v1/sessions/:id",
    summary: "Deletes a session that has not started, with its events",
    who: "admin",
    params: slugOrId,
    versioned: true,
    refusals: { dependents: "It has started, or has calls, registrations or messages." },
  },
} as const satisfies Endpoints;

const takesBack =
  "Who does it and has calls on open events gets them back first, as far as a player may take back a call, unless the session is a small room; the audit says so.";

const action = {
  who: "host",
  token: "run",
  session: "id",
  params: slugOrId,
  answer: sessionAnswer,
} as const;

export const sessionActionsEndpoints = {
  activateSession: {
    ...action,
    route: "PUT /api/v1/sessions/:id/activate",
    summary: "Makes this the active session, to which players are taken",
    versioned: true,
  },
  deactivateSession: {
    ...action,
    route: "PUT /api/v1/sessions/:id/deactivate",
    summary: "Makes this session inactive: players are no longer taken to it",
    versioned: true,
  },
  startSession: {
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/start",
    summary: "Starts a session",
    notes:
      "The first event opens `in_seconds` later (0 to 600, default 0), so that players can read its question; the whole plan moves with it. With `activate` players are sent here, also if another session was the active one.",
    body: { session: startSessionBody },
    bodyOptional: true,
    versioned: true,
  },
  pauseSession: {
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/pause",
    summary: "Pauses a session: no calls are accepted and all clocks stop",
    notes: takesBack,
    versioned: true,
  },
  resumeSession: {
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/resume",
    summary: "Resumes a paused session",
    versioned: true,
  },
  stopSession: {
    ...action,
    dock: true,
    route: "PUT /api/v1/sessions/:id/stop",
    summary: "Stops a session, for good after a minute",
    notes: takesBack,
    versioned: true,
  },
  takeBackStart: {
    ...action,
    route: "PUT /api/v1/sessions/:id/take_back_start",
    summary: "Takes the start of a session back: it waits for its start again",
    notes:
      "Possible while nobody has placed a call in it. What it has published becomes a draft again; planned times go, and the next start plans anew. Join code, players, teams, reminders and hosts stay, and players who are sent here stay here.",
    versioned: true,
  },
  takeBackStop: {
    ...action,
    route: "PUT /api/v1/sessions/:id/take_back_stop",
    summary: "Undoes the stop of a session, within 60 s",
    notes:
      "It runs again, or is paused again, with its plan moved by the time between. An event that was open stays closed: its calls are valid and wait for the result. No money moves.",
    versioned: true,
  },
  reorderEvents: {
    route: "POST /api/v1/sessions/:id/events/batch_update_positions",
    summary: "Reorders the events that have not opened",
    notes:
      "The body lists all of them. If the list no longer matches the events that can be reordered, the answer is 409.",
    who: "host",
    token: "run",
    session: "id",
    params: slugOrId,
    body: { events: eventPositionsBody },
    bodyMax: { bytes: 64 * 1_024, values: 5_000 },
    answer: orderedEventsAnswer,
    versioned: true,
  },
} as const satisfies Endpoints;
