import type { Deps } from "#src/base/deps.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { requireDockTransition } from "#src/people/sign-ins/access-tokens.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { advanceEvent, delayEvent } from "./advance-event.ts";
import { changeEventState, destroyEvent } from "./change-event-state.ts";
import { createEvent } from "./create-event.ts";
import { eventsEndpoints } from "./endpoints.ts";
import { previewResult } from "./resolve-event.ts";
import { listAllEvents, showEvent } from "./show-event.ts";
import { recomputeSettlement, showSettlement } from "./show-settlement.ts";
import { skipEvent } from "./skip-event.ts";
import { updateEvent } from "./update-event.ts";
import type { ActionCommand } from "./with-running-order.ts";

export function eventsRoutes(deps: Deps) {
  const { db } = deps.pool;
  const show = (viewer: Viewer, eventId: number) => showEvent(db, { eventId, viewer }, serverNow());
  return serveEndpoints(eventsEndpoints, {
    listAllEvents: ({ viewer, query, page, now }) => listAllEvents(db, { viewer, query, page }, now),
    showEvent: ({ viewer, params }) => show(viewer, params.id),
    previewResult: ({ params, query }) => previewResult(db, params.id, query),
    showSettlement: ({ viewer, params, now }) => showSettlement(db, { eventId: params.id, viewer }, now),
    recomputeSettlement: ({ viewer, params, now }) =>
      recomputeSettlement(deps, { eventId: params.id, viewer }, now),
    createEvent: async ({ viewer, body, keyed }) => {
      const { id } = await createEvent(deps, { ...body.event, actor: viewer }, keyed);
      return show(viewer, id);
    },
    updateEvent: async ({ viewer, params, body, ifVersion }) => {
      const changes = ifVersion === null ? body.event : { ...body.event, version: ifVersion };
      await updateEvent(deps, { eventId: params.id, actor: viewer, changes });
      return show(viewer, params.id);
    },
    destroyEvent: async ({ viewer, params, ifVersion }) => {
      await destroyEvent(deps, { eventId: params.id, actor: viewer, ifVersion });
    },
    advanceEvent: async (request) => {
      await advanceEvent(deps, commandOf(request));
      return show(request.viewer, request.params.id);
    },
    skipEvent: async (request) => {
      await skipEvent(deps, commandOf(request));
      return show(request.viewer, request.params.id);
    },
    delayEvent: async (request) => {
      await delayEvent(deps, { ...commandOf(request), seconds: request.body.event.seconds });
      return show(request.viewer, request.params.id);
    },
    changeEventState: async ({ viewer, authentication, params, body, ifVersion }) => {
      requireDockTransition(authentication, body.event.stateEvent);
      await changeEventState(deps, { eventId: params.id, actor: viewer, body: body.event, ifVersion });
      return show(viewer, params.id);
    },
  });
}

type ActionRequest = {
  viewer: Viewer;
  params: { id: number };
  body: { event: { reason?: string | undefined } };
  ifVersion: number | null;
};

function commandOf({ viewer, params, body, ifVersion }: ActionRequest): ActionCommand {
  return { eventId: params.id, actor: viewer, reason: body.event.reason ?? null, ifVersion };
}
