import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import type { IfVersion } from "#src/http/if-match.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findEventViews, viewingAs } from "#src/show/events/find-event-views.ts";
import { activateSession } from "./activate-session.ts";
import { deactivateSession } from "./deactivate-session.ts";
import { sessionActionsEndpoints } from "./endpoints.ts";
import { requireSession } from "./find-session.ts";
import { pauseSession } from "./pause-session.ts";
import { reorderEvents } from "./reorder-events.ts";
import { resumeSession } from "./resume-session.ts";
import type { EventPositionsBody, SessionView } from "./schemas.ts";
import { showSession } from "./show-session.ts";
import { startSession } from "./start-session.ts";
import { stopSession } from "./stop-session.ts";
import type { SessionCommand, SessionRow } from "./with-session.ts";

type ActionRequest = { params: { id: string }; viewer: Viewer; ifVersion: number | null };

/** Answers the endpoints of a session's actions. */
export function sessionActions(deps: Deps) {
  const { db } = deps.pool;
  const perform =
    (verb: SessionVerb) =>
    ({ params, viewer, ifVersion }: ActionRequest) =>
      changeSessionState(deps, verb, { slugOrId: params.id, viewer, ifVersion });
  return serveEndpoints(deps, sessionActionsEndpoints, {
    activateSession: perform(activateSession),
    deactivateSession: perform(deactivateSession),
    startSession: ({ body, ...request }) =>
      perform((_, command) => startSession(deps, { ...command, ...body.session }))(request),
    pauseSession: perform(pauseSession),
    resumeSession: perform(resumeSession),
    stopSession: perform(stopSession),
    reorderEvents: async ({ params, viewer, body, ifVersion, now }) => {
      const { id: sessionId } = await requireSession(db, params.id);
      const eventIds = readEventIds(body.events);
      await reorderEvents(deps, { sessionId, actor: viewer, eventIds, ifVersion });
      return { events: await findEventViews(db, { sessionId, ...viewingAs(viewer, now) }) };
    },
  });
}

/** A command that changes a session's state or its active flag. */
type SessionVerb = (deps: Deps, command: SessionCommand) => Promise<SessionRow>;

/**
 * Performs an action on the session that a path names.
 * @returns the changed session.
 * @throws Refusal 404 for an unknown session, and any refusal of the verb.
 */
async function changeSessionState(
  deps: Deps,
  verb: SessionVerb,
  { slugOrId, viewer, ifVersion }: IfVersion & { slugOrId: string; viewer: Viewer },
): Promise<{ session: SessionView }> {
  const { id } = await requireSession(deps.pool.db, slugOrId);
  await verb(deps, { sessionId: id, actor: viewer, ifVersion });
  return showSession(deps, id, viewer);
}

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
