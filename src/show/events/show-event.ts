import type { Queryable } from "#db/client.ts";
import { notFound } from "#src/base/refusal.ts";
import { canRunEvent } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findEventView, viewingAs } from "./find-event-views.ts";
import type { EventView } from "./schemas.ts";

/**
 * One event as this viewer sees it.
 * @param sessionId if given, an event of another session is not found.
 * @throws Refusal 404 for an event that does not exist or that this viewer may not see.
 */
export async function showEvent(
  db: Queryable,
  { eventId, sessionId, viewer }: { eventId: number; sessionId?: number; viewer: Viewer },
  now: Date,
): Promise<{ event: EventView }> {
  const runs = await canRunEvent(db, viewer, eventId);
  const event = await findEventView(db, eventId, viewingAs(viewer, { runs, now }));
  if (event === null) throw notFound();
  if (sessionId !== undefined && event.sessionId !== sessionId) throw notFound();
  if (event.sessionId !== null) await requireSessionId(db, String(event.sessionId), viewer);
  return { event };
}
