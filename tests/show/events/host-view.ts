import type { Deps } from "#src/base/deps.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { showSession } from "#src/show/sessions/find-session-views.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** What a host's browser gets of an event and a session. It enables the buttons by the transition tables that the server uses. */
export async function readHostView(
  deps: Deps,
  { eventId, sessionId }: { eventId: number; sessionId: number },
): Promise<{ session: SessionView; event: EventView }> {
  const { session } = await showSession(deps, sessionId, null);
  const filter = {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    withPlan: true,
    now: new Date(),
  };
  const [event] = await findEventViews(deps.pool.db, filter);
  if (event === undefined) throw new Error(`event ${eventId} is not shown`);
  return { session, event };
}
