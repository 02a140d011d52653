import { and, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import { registrations, sessionCounts, sessions } from "#db/schema/sessions.ts";
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

/** Live ones first, then the newest. The index `sessions_order` has the same order, so that a page reads no other sessions. */
const listOrder = [
  desc(sql`(${sessions.state} IN ('running', 'paused'))`),
  desc(sessions.active),
  desc(sql`coalesce(${sessions.startedAt}, ${sessions.startsAt}, ${sessions.createdAt})`),
  desc(sessions.id),
];

/** A page of sessions, live ones first, then the newest. `playersOnline` is 0: see count-players-online.ts. */
export async function findSessionViews(db: Queryable, selection: SessionsSelection): Promise<SessionView[]> {
  const { limit, offset } = selection.page;
  // First the ids of the page, then the rest of these sessions alone: skipped sessions cost an index entry each.
  const ids = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(matching(selection))
    .orderBy(...listOrder)
    .limit(limit)
    .offset(offset);
  const rows = await selectSessions(db, selection.viewerId, inArray(sessions.id, ids)).orderBy(...listOrder);
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

/** Sessions with their counts, which triggers keep in `session_counts`. */
function selectSessions(db: Queryable, viewerId: number | null, where: SQL | undefined) {
  const mine = sql`SELECT 1 FROM ${registrations} r WHERE r.session_id = ${sessions.id} AND r.user_id = ${viewerId}`;
  return db
    .select({
      session: sessions,
      eventsCount: sql<number>`coalesce(${sessionCounts.eventsCount}, 0)`,
      registrationsCount: sql<number>`coalesce(${sessionCounts.registrationsCount}, 0)`,
      registered: sql<boolean>`EXISTS (${mine})`,
    })
    .from(sessions)
    .leftJoin(sessionCounts, eq(sessionCounts.sessionId, sessions.id))
    .where(where);
}
