import { and, count, desc, eq, ilike, inArray, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import type { SessionState } from "#db/lists/sessions.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, sessionCounts, sessions } from "#db/schema/sessions.ts";
import { hasPrivate, isAccessDenied } from "#src/play/access-denied.ts";
import type { SessionOrder } from "./contract.ts";
import { isSession } from "./find-session.ts";
import { presentSession } from "./present-session.ts";
import type { SessionView } from "./schemas.ts";

export type SessionsFilter = {
  state?: SessionState | undefined;
  active?: boolean | undefined;
  /** Those that the reader hosts, who is a player. */
  hosted?: "true" | undefined;
  /** The blueprint that they were generated from. */
  blueprintId?: number | undefined;
  /** A part of the name, in any case. */
  search?: string | undefined;
  /** For whom it is: the id of a player, or everybody, or hosts. Players find private sessions that they have joined. */
  reader: number | "everybody" | "hosts";
  /** Undefined: live ones first, then the newest. */
  order?: SessionOrder | undefined;
};
export type SessionsSelection = SessionsFilter & {
  page: { limit: number; offset: number };
};
/** A session as a user who has not joined it sees it, and which of the given users have joined it. */
export type ListedSession = { view: SessionView; joinedIds: readonly number[] };

/** Live ones first, then the newest. The index `sessions_order` has the same order, so that a page reads no other sessions. */
const listOrder = [
  desc(sql`(${sessions.state} IN ('running', 'paused'))`),
  desc(sessions.active),
  desc(sql`coalesce(${sessions.startedAt}, ${sessions.startsAt}, ${sessions.createdAt})`),
  desc(sessions.id),
];

const soonestOrder = [sql`${sessions.startsAt} ASC NULLS LAST`, desc(sessions.id)];

/**
 * A page of sessions, live ones first, then the newest. `playersOnline` is 0: see count-players-online.ts.
 * @param viewerIds the users of whom the answer says which sessions they have joined.
 */
export async function findSessionViews(
  db: Queryable,
  { page, ...filter }: SessionsSelection,
  viewerIds: readonly number[],
): Promise<ListedSession[]> {
  const rows = await findPage(db, filter).execute({
    ...valuesOf(filter),
    ...page,
    viewerIds: writeIntegerArray(viewerIds),
  });
  return rows.map(({ session, joinedIds, ...counts }) => ({
    view: presentSession(session, { ...counts, registered: false, playersOnline: 0 }),
    joinedIds,
  }));
}

const findPage = prepareQuery((db, filter: SessionsFilter) => {
  const order = filter.order === "soonest" ? soonestOrder : listOrder;
  // First the ids of the page, then the rest of these sessions alone: skipped sessions cost an index entry each.
  const ids = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(matching(filter))
    .orderBy(...order)
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"));
  const joined = sql`SELECT json_agg(r.user_id) FROM ${registrations} r
    WHERE r.session_id = ${sessions.id} AND r.user_id = ANY (${sql.placeholder("viewerIds")}::bigint[])`;
  return db
    .select({ ...columns, joinedIds: sql<number[]>`coalesce((${joined}), '[]')` })
    .from(sessions)
    .leftJoin(sessionCounts, eq(sessionCounts.sessionId, sessions.id))
    .where(inArray(sessions.id, ids))
    .orderBy(...order)
    .prepare("list_sessions");
}, variantOf);

/** One session by slug or id, as this viewer sees it; null if there is none. `playersOnline` is 0. */
export async function findSessionView(
  db: Queryable,
  slugOrId: string | number,
  viewerId: number | null,
): Promise<SessionView | null> {
  const isNamed = isSession(slugOrId);
  if (isNamed === null) return null;
  const mine = sql`SELECT 1 FROM ${registrations} r WHERE r.session_id = ${sessions.id} AND r.user_id = ${viewerId}`;
  const [row] = await db
    .select({ ...columns, registered: sql<boolean>`EXISTS (${mine})` })
    .from(sessions)
    .leftJoin(sessionCounts, eq(sessionCounts.sessionId, sessions.id))
    .where(isNamed);
  if (row === undefined) return null;
  const { session, ...counts } = row;
  return presentSession(session, { ...counts, playersOnline: 0 });
}

/** How many sessions match the filter. */
export async function countSessions(db: Queryable, filter: SessionsFilter): Promise<number> {
  const [row] = await countPage(db, filter).execute(valuesOf(filter));
  return row?.total ?? 0;
}

const countPage = prepareQuery(
  (db, filter: SessionsFilter) =>
    db.select({ total: count() }).from(sessions).where(matching(filter)).prepare("count_sessions"),
  variantOf,
);

/** What decides on the text of a query with this filter. The values are placeholders. */
function variantOf({ state, active, hosted, blueprintId, search, order, reader }: SessionsFilter): string {
  const isGiven = [state, active, hosted, blueprintId, search, order].map((value) => value !== undefined);
  return [...isGiven, typeof reader === "number" ? "player" : reader].join(" ");
}

/** The values of the placeholders. */
function valuesOf({ search = "", ...filter }: SessionsFilter) {
  return { ...filter, pattern: `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` };
}

/** With a placeholder for each value. */
function matching({ state, active, hosted, blueprintId, search, reader }: SessionsFilter): SQL | undefined {
  return and(
    hosted === undefined ? undefined : isHostedBy(sql.placeholder("reader")),
    reader === "everybody" ? not(hasPrivate(sessions.settings)) : undefined,
    typeof reader === "number" ? not(isAccessDenied(sessions, sql.placeholder("reader"))) : undefined,
    state === undefined ? undefined : eq(sessions.state, sql.placeholder("state")),
    active === undefined ? undefined : eq(sessions.active, sql.placeholder("active")),
    blueprintId === undefined ? undefined : eq(sessions.blueprintId, sql.placeholder("blueprintId")),
    search === undefined ? undefined : ilike(sessions.name, sql.placeholder("pattern")),
  );
}

function isHostedBy(userId: SQLWrapper): SQL {
  return sql`EXISTS (SELECT 1 FROM ${sessionHosts} h WHERE h.session_id = ${sessions.id} AND h.user_id = ${userId})`;
}

/** A session with its counts, which triggers keep in `session_counts`. */
const columns = {
  session: sessions,
  eventsCount: sql<number>`coalesce(${sessionCounts.eventsCount}, 0)`,
  registrationsCount: sql<number>`coalesce(${sessionCounts.registrationsCount}, 0)`,
};
