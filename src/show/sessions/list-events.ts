import type { Queryable } from "#db/client.ts";
import { isWholeList, listMeta, type Page } from "#src/http/list-meta.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { findEventPage, viewingAs } from "#src/show/events/find-event-views.ts";
import type { EventsAnswer, EventView } from "#src/show/events/schemas.ts";
import { canWatch, type Watched } from "./require-watcher.ts";

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /**
     * All published events of a session with the caller's own calls, for callers who are no admins, that were read together with the
     * sign-in; null for a session whose events were not.
     */
    knownEvents?: (asked: { slugOrId: string; now: Date }) => Promise<KnownEvents | null>;
  }
}

type KnownEvents = { session: Watched; events: EventView[] };
type EventsRead = { slugOrId: string; viewer: Viewer | null; page: Page };

/**
 * The events of a session in the order of their positions: for players the published ones, for admins all. The caller has called
 * requireWatcher.
 */
export async function listEvents(
  db: Queryable,
  { slugOrId, viewer, page }: EventsRead,
  now: Date,
): Promise<EventsAnswer> {
  const sessionId = await requireSessionId(db, slugOrId, "host");
  const runs = can(viewer, "run", { id: sessionId });
  const { events, totalCount } = await findEventPage(
    db,
    { sessionId, ...viewingAs(viewer, { runs, now }) },
    page,
  );
  return { events, meta: listMeta(page, totalCount, now) };
}

/**
 * The same from what was read for the request already. Null if that is not known, if the page is a part of the events, or if this
 * viewer may not read the session.
 */
export async function listKnownEvents(
  context: RequestContext,
  { slugOrId, viewer, page }: EventsRead,
  now: Date,
): Promise<EventsAnswer | null> {
  const known = await context.knownEvents?.({ slugOrId, now });
  if (!known || !isWholeList(page, known.events)) return null;
  if (viewer === null && !canWatch(null, known.session)) return null;
  return { events: known.events, meta: listMeta(page, known.events.length, now) };
}
