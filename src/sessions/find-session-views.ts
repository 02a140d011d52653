import { and, count, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { sessionKey } from "./find-session.ts";
import { presentSession } from "./present-session.ts";
import type { SessionView } from "./schemas.ts";

export type SessionsFilter = {
  state?: SessionState | undefined;
  active?: boolean | undefined;
  /** The blueprint that they were generated from. */
  blueprintId?: number | undefined;
};
export type SessionsSelection = SessionsFilter & {
  /** The user for whom `registered` is computed; null: nobody. */
  viewerId: number | null;
  page: { limit: number; offset: number };
};

/** A page of sessions, live ones first, then the newest. `playersOnline` is 0: see count-players-online.ts. */
export async function findSessionViews(db: Queryable, selection: SessionsSelection): Promise<SessionView[]> {
  const rows = await selectSessions(db, selection.viewerId, matching(selection))
    .orderBy(
      desc(sql`${sessions.state} IN ('running', 'paused')`),
      desc(sessions.active),
      desc(sql`coalesce(${sessions.startedAt}, ${sessions.startsAt}, ${sessions.createdAt})`),
      desc(sessions.id),
    )
    .limit(selection.page.limit)
    .offset(selection.page.offset);
  return rows.map(({ session, ...counts }) => presentSession(session, { ...counts, playersOnline: 0 }));
}

/** One session by slug or id, as this viewer sees it; null if there is none. `playersOnline` is 0. */
export async function findSessionView(
  db: Queryable,
  slugOrId: string | number,
  viewerId: number | null,
): Promise<SessionView | null> {
  const key = sessionKey(slugOrId);
  if (key === null) return null;
  const [row] = await selectSessions(db, viewerId, key);
  if (row === undefined) return null;
  const { session, ...counts } = row;
  return presentSession(session, { ...counts, playersOnline: 0 });
}

/** How many sessions match the filter. */
export async function countSessions(db: Queryable, filter: SessionsFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(sessions).where(matching(filter));
  return row?.total ?? 0;
}

function matching({ state, active, blueprintId }: SessionsFilter): SQL | undefined {
  return and(
    state === undefined ? undefined : eq(sessions.state, state),
    active === undefined ? undefined : eq(sessions.active, active),
    blueprintId === undefined ? undefined : eq(sessions.blueprintId, blueprintId),
  );
}

function selectSessions(db: Queryable, viewerId: number | null, where: SQL | undefined) {
  // `sessions.id` is written out: Drizzle omits the table's name in a query with only one table.
  const mine = sql`SELECT 1 FROM ${registrations} r WHERE r.session_id = sessions.id AND r.user_id = ${viewerId}`;
  return db
    .select({
      session: sessions,
      eventsCount: sql<number>`(
        SELECT count(*) FROM events e WHERE e.session_id = sessions.id AND e.state <> 'soft_destroyed')::int`,
      registrationsCount: sql<number>`(
        SELECT count(*) FROM ${registrations} r WHERE r.session_id = sessions.id)::int`,
      registered: sql<boolean>`EXISTS (${mine})`,
    })
    .from(sessions)
    .where(where);
}
