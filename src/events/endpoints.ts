import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { recomputationAnswer } from "#src/settlements/schemas.ts";
import {
  actionBody,
  changeStateBody,
  createEventBody,
  delayBody,
  eventAnswer,
  eventsAnswer,
  eventsQuery,
  previewAnswer,
  previewQuery,
  settlementAnswer,
  updateEventBody,
} from "./schemas.ts";

/** Reading events: players see what is published, admins all that is not destroyed. */
const reads = {
  listAllEvents: {
    method: "GET",
    path: "/api/v1/events",
    summary: "Lists the events of all sessions, the newest first",
    who: "viewer",
    query: eventsQuery.entries,
    paged: true,
    answer: eventsAnswer,
    etag: true,
  },
  showEvent: {
    method: "GET",
    path: "/api/v1/events/:id",
    summary: "Shows an event with its pool and one's own calls",
    who: "viewer",
    answer: eventAnswer,
    etag: true,
  },
  previewResult: {
    method: "GET",
    path: "/api/v1/events/:id/preview",
    summary: "Says what a result would move, while nothing moves",
    who: "admin",
    query: previewQuery.entries,
    answer: previewAnswer,
  },
  showSettlement: {
    method: "GET",
    path: "/api/v1/events/:id/settlement",
    summary: "Shows how an event was settled",
    notes: "Nobody is named; only one's own calls are told apart.",
    who: "viewer",
    answer: settlementAnswer,
    etag: true,
  },
  recomputeSettlement: {
    method: "GET",
    path: "/api/v1/events/:id/recomputation",
    summary: "Holds what was paid against the formula computed anew",
    who: "viewer",
    rate: rates.recompute,
    answer: recomputationAnswer,
  },
} as const satisfies Endpoints;

/** What the host does to an event. */
const writes = {
  createEvent: {
    method: "POST",
    path: "/api/v1/events",
    summary: "Makes an event in a session",
    notes: "A draft; with `ask: true` in a running session it is published and opened at once.",
    who: "admin",
    body: { event: createEventBody },
    answer: eventAnswer,
    status: 201,
  },
  updateEvent: {
    method: "PATCH",
    path: "/api/v1/events/:id",
    summary: "Changes an event",
    notes: "After it is published, its title, description and times alone; the labels until the first call.",
    who: "admin",
    body: { event: updateEventBody },
    answer: eventAnswer,
    versioned: true,
  },
  destroyEvent: {
    method: "DELETE",
    path: "/api/v1/events/:id",
    summary: "Destroys an event that nobody has played",
    who: "admin",
    versioned: true,
    refusals: { dependents: "There are calls on it." },
  },
  advanceEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/advance",
    summary: "Does at once what is planned next for an event",
    who: "admin",
    body: { event: actionBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  skipEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/skip",
    summary: "Skips an event, and gives its wagers back",
    who: "admin",
    body: { event: actionBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  delayEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/delay",
    summary: "Delays an event and all after it",
    notes: "By 30 seconds where the body does not say; below 0 it comes earlier.",
    who: "admin",
    body: { event: delayBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  changeEventState: {
    method: "PATCH",
    path: "/api/v1/events/:id/state",
    summary: "Moves an event to another state",
    notes:
      "By `stateEvent` (`publish_event`, `open_event`, `close_event`, `resolve`, `withdraw`, `reset`, `hide`, `show`), or by the `state` that it is to have. `resolve` takes `result`.",
    who: "admin",
    body: { event: changeStateBody },
    answer: eventAnswer,
    versioned: true,
    refusals: {
      forbidden: { status: 403, when: "Whoever has a call on the event does not decide on it." },
    },
  },
} as const satisfies Endpoints;

/** Single events: reading them, and moving them from state to state. */
export const eventsEndpoints = { ...reads, ...writes } as const satisfies Endpoints;
