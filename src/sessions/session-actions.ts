import type { Deps } from "#src/base/deps.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import { viewingAs } from "#src/events/viewing.ts";
import { serveEndpoints } from "#src/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { activateSession } from "./activate-session.ts";
import { changeSessionState, type SessionVerb } from "./change-session-state.ts";
import { deactivateSession } from "./deactivate-session.ts";
import { sessionActionsEndpoints } from "./endpoints.ts";
import { requireSession } from "./find-session.ts";
import { pauseSession } from "./pause-session.ts";
import { readOrder } from "./read-order.ts";
import { reorderEvents } from "./reorder-events.ts";
import { resumeSession } from "./resume-session.ts";
import { startSession } from "./start-session.ts";
import { stopSession } from "./stop-session.ts";

type Asked = { params: { id: string }; viewer: Viewer; ifVersion: number | null };

/** The actions of a session, by their paths: for admins. */
export function sessionActions(deps: Deps) {
  const { db } = deps.pool;
  const perform =
    (verb: SessionVerb) =>
    ({ params, viewer, ifVersion }: Asked) =>
      changeSessionState(deps, verb, { slugOrId: params.id, viewer, ifVersion });
  return serveEndpoints(deps, sessionActionsEndpoints, {
    activateSession: perform(activateSession),
    deactivateSession: perform(deactivateSession),
    startSession: perform(startSession),
    pauseSession: perform(pauseSession),
    resumeSession: perform(resumeSession),
    stopSession: perform(stopSession),
    reorderEvents: async ({ params, viewer, body, ifVersion, now }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      const order = { sessionId, actor: viewer, eventIds: readOrder(body.events), ifVersion };
      await reorderEvents(deps, order);
      return { events: await findEventViews(db, { sessionId, ...viewingAs(viewer, now) }) };
    },
  });
}
