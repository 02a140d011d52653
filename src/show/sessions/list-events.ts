import type { Queryable } from "#db/client.ts";
import { isWholeList, listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findEventPage, viewingAs } from "#src/show/events/find-event-views.ts";
import type { EventsAnswer } from "#src/show/events/schemas.ts";
import { knownEvents } from "./known-reads.ts";
import { canWatch } from "./require-watcher.ts";

type EventsRead = { slugOrId: string; viewer: Viewer | null; page: Page };

/**
 * The events of a session in the order of their positions: for players the published ones, for admins all. The caller has called
 * requireWatcher.
 * @throws Refusal 404 for an unknown session.
 */
export async function listEvents(
  db: Queryable,
  { slugOrId, viewer, page }: EventsRead,
  now: Date,
): Promise<EventsAnswer> {
  const sessionId = await requireSessionId(db, slugOrId, "host");
  const { events, totalCount } = await findEventPage(db, { sessionId, ...viewingAs(viewer, now) }, page);
  return { events, meta: listMeta(page, totalCount, now) };
}

/**
 * The same from what was read for the request already. Null if that is not known, if the page is a part of the events, or if this
 * viewer may not read the session.
 */
export async function listKnownEvents(
  request: Request,
  { slugOrId, viewer, page }: EventsRead,
  now: Date,
): Promise<EventsAnswer | null> {
  const known = await knownEvents.find(request, { slugOrId, now });
  if (known === null || !isWholeList(page, known.events)) return null;
  if (viewer === null && !canWatch(null, known.session)) return null;
  return { events: known.events, meta: listMeta(page, known.events.length, now) };
}
