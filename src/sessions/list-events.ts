import type { Queryable } from "#db/client.ts";
import { findEventPage, viewingAs } from "#src/events/find-event-views.ts";
import type { EventsAnswer } from "#src/events/schemas.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { requireSession } from "./find-session.ts";

/**
 * The events of a session in the order of their positions: for players the published ones, for admins all.
 * @throws Refusal 404 for an unknown session.
 */
export async function listEvents(
  db: Queryable,
  { slugOrId, viewer, page }: { slugOrId: string; viewer: Viewer | null; page: Page },
  now: Date,
): Promise<EventsAnswer> {
  const { id: sessionId } = await requireSession(db, slugOrId);
  const { events, totalCount } = await findEventPage(db, { sessionId, ...viewingAs(viewer, now) }, page);
  return { events, meta: listMeta(page, totalCount, now) };
}
