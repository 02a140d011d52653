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

/** Reads. Players see published events, admins all events that are not destroyed. */
const reads = {
  listAllEvents: {
    method: "GET",
    path: "/api/v1/events",
    summary: "Lists the events of all sessions, newest first",
    who: "viewer",
    query: eventsQuery.entries,
    paged: true,
    answer: eventsAnswer,
    etag: true,
  },
  showEvent: {
    method: "GET",
    path: "/api/v1/events/:id",
    summary: "Shows an event with its pool and the viewer's own calls",
    who: "viewer",
    answer: eventAnswer,
    etag: true,
  },
  previewResult: {
    method: "GET",
    path: "/api/v1/events/:id/preview",
    summary: "Previews what a result would pay, without paying",
    notes: "Without `effective_at` the moment that the result would keep; `none`: all calls count.",
    who: "admin",
    query: previewQuery.entries,
    answer: previewAnswer,
  },
  showSettlement: {
    method: "GET",
    path: "/api/v1/events/:id/settlement",
    summary: "Shows how an event was settled",
    notes: "Anonymous: only the viewer's own calls can be identified.",
    who: "viewer",
    answer: settlementAnswer,
    etag: true,
  },
  recomputeSettlement: {
    method: "GET",
    path: "/api/v1/events/:id/recomputation",
    summary: "Recomputes the payouts and compares them with what was paid",
    who: "viewer",
    rate: rates.recompute,
    answer: recomputationAnswer,
  },
} as const satisfies Endpoints;

/** Changes, for the host. */
const writes = {
  createEvent: {
    method: "POST",
    path: "/api/v1/events",
    summary: "Creates an event in a session",
    notes:
      "Creates a draft. With `ask: true` in a running session it is published and opened at once. Plan it with `start_mode` and `offset_seconds`; `opens_at` is refused here, because only the session's start gives an event its times. In a session that has started, PATCH the draft with `opens_at`.",
    who: "admin",
    body: { event: createEventBody },
    answer: eventAnswer,
    status: 201,
  },
  updateEvent: {
    method: "PATCH",
    path: "/api/v1/events/:id",
    summary: "Changes an event",
    notes:
      "After publishing only title, description and times can change, and the labels until the first call.",
    who: "admin",
    body: { event: updateEventBody },
    answer: eventAnswer,
    versioned: true,
  },
  destroyEvent: {
    method: "DELETE",
    path: "/api/v1/events/:id",
    summary: "Destroys an event without calls",
    who: "admin",
    versioned: true,
    refusals: { dependents: "There are calls on it." },
  },
  advanceEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/advance",
    summary: "Performs the next planned transition of an event now",
    who: "admin",
    body: { event: actionBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  skipEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/skip",
    summary: "Skips an event and refunds its wagers",
    who: "admin",
    body: { event: actionBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  delayEvent: {
    method: "PUT",
    path: "/api/v1/events/:id/delay",
    summary: "Delays an event and all later events",
    notes: "By 30 seconds by default. Negative values bring it forward.",
    who: "admin",
    body: { event: delayBody },
    bodyOptional: true,
    answer: eventAnswer,
    versioned: true,
  },
  changeEventState: {
    method: "PATCH",
    path: "/api/v1/events/:id/state",
    summary: "Changes the state of an event",
    notes:
      "By `stateEvent` (`publish_event`, `open_event`, `close_event`, `resolve`, `withdraw`, `reset`, `hide`, `show`), or by the new `state`. `resolve` takes `result`, and `effectiveAt`: calls placed at or after it are refunded. Left out, the result keeps the moment of the one that it replaces or corrects; null: all calls count. A result that a person decides waits `settlementDelaySeconds` as `pendingResult`; until `paysAt`, `withdraw` takes it back.",
    who: "admin",
    body: { event: changeStateBody },
    answer: eventAnswer,
    versioned: true,
    refusals: {
      forbidden: { status: 403, when: "An admin with a call on the event cannot decide it." },
    },
  },
} as const satisfies Endpoints;

/** The endpoints of single events: reads, and changes of their state. */
export const eventsEndpoints = { ...reads, ...writes } as const satisfies Endpoints;
