import { and, desc, eq, inArray, ne, not, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { isAccessDenied } from "#src/play/access-denied.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { publishedStates } from "./contract.ts";
import { findEventView, findEventViews, viewingAs } from "./find-event-views.ts";
import type { EventsAnswer, EventsQuery, EventView } from "./schemas.ts";

/**
 * One event as this viewer sees it.
 * @param sessionId if given, an event of another session is not found.
 */
export async function showEvent(
  db: Queryable,
  { eventId, sessionId, viewer }: { eventId: number; sessionId?: number; viewer: Viewer },
  now: Date,
): Promise<{ event: EventView }> {
  const event = await findEventView(db, eventId, { viewer, now });
  if (event === null) throw notFound();
  if (sessionId !== undefined && event.sessionId !== sessionId) throw notFound();
  if (event.sessionId !== null) await requireSessionId(db, String(event.sessionId), viewer);
  return { event };
}

/** One page of the events of all sessions, newest first: published events for players, all but destroyed ones for who runs them. */
export async function listAllEvents(
  db: Queryable,
  { viewer, query, page }: { viewer: Viewer; query: EventsQuery; page: Page },
  now: Date,
): Promise<EventsAnswer> {
  const { sessionId } = query;
  const runs = sessionId === undefined ? isAdmin(viewer) : can(viewer, "run", { id: sessionId });
  const where = matching(viewer, { ...query, runs });
  const [ids, totalCount] = await Promise.all([
    db
      .select({ id: events.id })
      .from(events)
      .where(where)
      .orderBy(desc(events.id))
      .limit(page.perPage)
      .offset(page.offset),
    db.$count(events, where),
  ]);
  const views = await findEventViews(db, {
    eventIds: ids.map(({ id }) => id),
    ...viewingAs(viewer, { runs, now }),
  });
  const newestFirst = views.toSorted((one, other) => other.id - one.id);
  return { events: newestFirst, meta: listMeta(page, totalCount, now) };
}

function matching(
  viewer: Viewer,
  { sessionId, state, runs }: EventsQuery & { runs: boolean },
): SQL | undefined {
  const shut = sql`EXISTS (SELECT 1 FROM ${sessions}
    WHERE ${sessions.id} = ${events.sessionId} AND ${isAccessDenied(sessions, sql`${viewer.id}`)})`;
  return and(
    runs ? ne(events.state, "soft_destroyed") : and(inArray(events.state, [...publishedStates]), not(shut)),
    sessionId === undefined ? undefined : eq(events.sessionId, sessionId),
    state === undefined ? undefined : eq(events.state, state),
  );
}
