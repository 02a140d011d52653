import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { rates } from "#src/http/rates.ts";
import { requireDockTransition } from "#src/people/sign-ins/access-tokens.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { recomputationAnswer } from "#src/play/settlements/schemas.ts";
import { advanceEvent, delayEvent } from "./advance-event.ts";
import { changeEventState, destroyEvent } from "./change-event-state.ts";
import { createEvent } from "./create-event.ts";
import { previewResult } from "./resolve-event.ts";
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
import { listAllEvents, showEvent } from "./show-event.ts";
import { recomputeSettlement, showSettlement } from "./show-settlement.ts";
import { skipEvent } from "./skip-event.ts";
import { updateEvent } from "./update-event.ts";
import type { EventRow } from "./with-event.ts";
import type { ActionCommand } from "./with-running-order.ts";

/** Reads. Players see published events, admins all events that are not destroyed. */
const reads = {
  listAllEvents: endpoint({
    route: "GET /api/v1/events",
    summary: "Lists the events of all sessions, newest first",
    who: "viewer",
    query: eventsQuery.entries,
    paged: true,
    answer: eventsAnswer,
    etag: true,
    handle: (deps, { viewer, query, page, now }) => listAllEvents(deps.pool.db, { viewer, query, page }, now),
  }),
  showEvent: endpoint({
    route: "GET /api/v1/events/:id",
    summary: "Shows an event with its pool and the viewer's own calls",
    who: "viewer",
    session: "event",
    dock: true,
    answer: eventAnswer,
    etag: true,
    handle: (deps, { viewer, params }) => show(deps, viewer, params.id),
  }),
  previewResult: endpoint({
    route: "GET /api/v1/events/:id/preview",
    summary: "Previews what a result would pay, without paying",
    notes: "Without `effective_at` the moment that the result would keep; `none`: all calls count.",
    who: "host",
    session: "event",
    dock: true,
    query: previewQuery.entries,
    answer: previewAnswer,
    handle: (deps, { params, query }) => previewResult(deps.pool.db, params.id, query),
  }),
  showSettlement: endpoint({
    route: "GET /api/v1/events/:id/settlement",
    summary: "Shows how an event was settled",
    notes: "Anonymous: only the viewer's own calls can be identified.",
    who: "viewer",
    answer: settlementAnswer,
    etag: true,
    handle: (deps, { viewer, params, now }) =>
      showSettlement(deps.pool.db, { eventId: params.id, viewer }, now),
  }),
  recomputeSettlement: endpoint({
    route: "GET /api/v1/events/:id/recomputation",
    summary: "Recomputes the payouts and compares them with what was paid",
    who: "viewer",
    rate: rates.recompute,
    answer: recomputationAnswer,
    handle: (deps, { viewer, params, now }) => recomputeSettlement(deps, { eventId: params.id, viewer }, now),
  }),
};

const staked = {
  forbidden: {
    status: 403,
    when: "An admin with a call on the event cannot decide it, or when its calling ends, unless the session is a small room.",
  },
} as const;

const change = {
  who: "host",
  token: "run",
  session: "event",
  answer: eventAnswer,
  versioned: true,
} as const;

/** Changes, for the host. */
const writes = {
  createEvent: endpoint({
    route: "POST /api/v1/events",
    summary: "Creates an event in a session",
    notes:
      "Creates a draft. With `ask: true` in a running session it is published and opened at once. Plan it with `start_mode` and `offset_seconds`: `after_previous` opens it so long after the close of the event before it, `offset` after the session's start, `after_result` after the event before it is resolved or skipped, and `by_hand` when the host advances to it. In a session that has started, a draft with `after_previous` or `after_result` gets its times by itself; without `start_mode` it opens when the host says. `opens_at` is refused here: PATCH the draft with it in a session that has started.",
    who: "host",
    token: "run",
    session: "body",
    body: { event: createEventBody },
    answer: eventAnswer,
    creates: true,
    handle: async (deps, { viewer, body, keyed }) => {
      const { id } = await createEvent(deps, { ...body.event, actor: viewer }, keyed);
      return show(deps, viewer, id);
    },
  }),
  updateEvent: endpoint({
    ...change,
    route: "PATCH /api/v1/events/:id",
    summary: "Changes an event",
    notes:
      "After publishing only the times can change, and title, description and labels until the first call. In a session that has started, a new `start_mode` or `offset_seconds` plans a draft again, and the events that follow it.",
    body: { event: updateEventBody },
    refusals: staked,
    handle: async (deps, { viewer, params, body, ifVersion }) => {
      const changes = ifVersion === null ? body.event : { ...body.event, version: ifVersion };
      await updateEvent(deps, { eventId: params.id, actor: viewer, changes });
      return show(deps, viewer, params.id);
    },
  }),
  destroyEvent: endpoint({
    route: "DELETE /api/v1/events/:id",
    summary: "Destroys an event without calls",
    who: "host",
    session: "event",
    versioned: true,
    refusals: { dependents: "There are calls on it." },
    handle: async (deps, { viewer, params, ifVersion }) => {
      await destroyEvent(deps, { eventId: params.id, actor: viewer, ifVersion });
    },
  }),
  advanceEvent: endpoint({
    ...change,
    route: "PUT /api/v1/events/:id/advance",
    summary: "Performs the next planned transition of an event now",
    notes:
      "A draft that waits for a result or for the host is shown now, and opens after the lead of its session.",
    dock: true,
    body: { event: actionBody },
    bodyOptional: true,
    refusals: staked,
    handle: perform(advanceEvent),
  }),
  skipEvent: endpoint({
    ...change,
    route: "PUT /api/v1/events/:id/skip",
    summary: "Skips an event and refunds its wagers",
    notes: "Also the wagers of who skips it; the audit says so.",
    dock: true,
    body: { event: actionBody },
    bodyOptional: true,
    handle: perform(skipEvent),
  }),
  delayEvent: endpoint({
    ...change,
    route: "PUT /api/v1/events/:id/delay",
    summary: "Delays an event and all later events",
    notes: "By 30 seconds by default. Negative values bring it forward.",
    dock: true,
    body: { event: delayBody },
    bodyOptional: true,
    refusals: staked,
    handle: perform<{ seconds: number }>(delayEvent),
  }),
  changeEventState: endpoint({
    ...change,
    route: "PATCH /api/v1/events/:id/state",
    summary: "Changes the state of an event",
    notes:
      "By `stateEvent` (`publish_event`, `open_event`, `close_event`, `resolve`, `withdraw`, `reset`, `hide`, `show`), or by the new `state`. `resolve` takes `result`, and `effectiveAt`: calls placed at or after it are refunded. Left out, the result keeps the moment of the one that it replaces or corrects; null: all calls count. A result that a person decides waits `settlementDelaySeconds` as `pendingResult`, and with more than 50,000 calls until a worker has decided them; until `paysAt`, `withdraw` takes it back. `graceMs` lets it wait for who decides over a slow connection: the same result again, by the one who decided it, lets the delay begin again.",
    dock: true,
    body: { event: changeStateBody },
    refusals: staked,
    handle: async (deps, { viewer, authentication, params, body, ifVersion }) => {
      requireDockTransition(authentication, body.event.stateEvent);
      await changeEventState(deps, { eventId: params.id, actor: viewer, body: body.event, ifVersion });
      return show(deps, viewer, params.id);
    },
  }),
};

/** The endpoints of single events: reads, and changes of their state. */
export const eventsEndpoints = { ...reads, ...writes };

function show({ pool }: Deps, viewer: Viewer, eventId: number) {
  return showEvent(pool.db, { eventId, viewer }, serverNow());
}

type ActionRequest<Terms> = {
  viewer: Viewer;
  params: { id: number };
  body: { event: Terms };
  ifVersion: number | null;
};

function perform<Terms extends object>(
  verb: (deps: Deps, command: ActionCommand & Terms) => Promise<EventRow>,
) {
  return async (deps: Deps, { viewer, params, body, ifVersion }: ActionRequest<Terms>) => {
    await verb(deps, { ...body.event, eventId: params.id, actor: viewer, ifVersion });
    return show(deps, viewer, params.id);
  };
}
