import { and, count, desc, eq, inArray, ne, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import { isAdmin, type Viewer } from "#src/users/viewer.ts";
import { type EventsAnswer, eventsQuery, publishedStates } from "./contract.ts";
import { findEventViews } from "./find-event-views.ts";
import { viewingAs } from "./viewing.ts";

/**
 * A page of the events of all sessions, the newest first: for players what is published, for admins all but the destroyed.
 * @param query `?session_id=3&state=open&page=2&per_page=50`
 * @throws Refusal 422 for a filter or a page that is none.
 */
export async function listAllEvents(
  db: Queryable,
  viewer: Viewer,
  query: Record<string, unknown>,
  now: Date,
): Promise<EventsAnswer> {
  const page = readPage(query);
  const where = matching(viewer, query);
  const [ids, [counted]] = await Promise.all([
    db
      .select({ id: events.id })
      .from(events)
      .where(where)
      .orderBy(desc(events.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.select({ total: count() }).from(events).where(where),
  ]);
  const views = await findEventViews(db, { eventIds: ids.map(({ id }) => id), ...viewingAs(viewer, now) });
  const newestFirst = views.toSorted((one, other) => other.id - one.id);
  return { events: newestFirst, meta: listMeta(page, counted?.total ?? 0, now) };
}

function matching(viewer: Viewer, query: Record<string, unknown>): SQL | undefined {
  const { sessionId, state } = readQuery(query, eventsQuery);
  return and(
    isAdmin(viewer) ? ne(events.state, "soft_destroyed") : inArray(events.state, [...publishedStates]),
    sessionId === undefined ? undefined : eq(events.sessionId, sessionId),
    state === undefined ? undefined : eq(events.state, state),
  );
}
