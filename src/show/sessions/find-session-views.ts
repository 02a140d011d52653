import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  ilike,
  inArray,
  not,
  type SQL,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { anyOfPlaceholder, writeIntegerArray } from "#db/ledger/query.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers, sessionCounts, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { getNumbers, presenceKey } from "#src/base/redis-keys.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { hasPrivate, isAccessDenied } from "#src/play/access-denied.ts";
import { isSession } from "./find-session.ts";
import {
  type SessionsAnswer,
  sessionSchema,
  sessionSettings,
  type SessionsQuery,
  type SessionView,
} from "./schemas.ts";
import type { SessionRow } from "./with-session.ts";

type SessionsFilter = Omit<SessionsQuery, "active"> & {
  active?: boolean | undefined;
  /** For whom it is: the id of a player, or everybody, or hosts. Players find private sessions that they have joined. */
  reader: number | "everybody" | "hosts";
};
type SessionsSelection = SessionsFilter & {
  page: { limit: number; offset: number };
};
/** A session as a user who has not joined it sees it, and which of the given users have joined it. */
type ListedSession = { view: SessionView; joinedIds: readonly number[] };

/** Live ones first, then the newest. The index `sessions_order` has the same order, so that a page reads no other sessions. */
const listOrder = [
  desc(sql`(${sessions.state} IN ('running', 'paused'))`),
  desc(sessions.active),
  desc(sql`coalesce(${sessions.startedAt}, ${sessions.startsAt}, ${sessions.createdAt})`),
  desc(sessions.id),
];

const soonestOrder = [sql`${sessions.startsAt} ASC NULLS LAST`, desc(sessions.id)];

/**
 * A page of sessions, live ones first, then the newest. `playersOnline` is 0: see countPlayersOnline.
 * @param viewerIds the users of whom the answer says which sessions they have joined.
 */
async function findSessionViews(
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

async function countSessions(db: Queryable, filter: SessionsFilter): Promise<number> {
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

/** The fields of a session that are not columns of its row. */
export type SessionCounts = Pick<
  SessionView,
  "eventsCount" | "registrationsCount" | "registered" | "playersOnline"
>;

export type ShownSession = Pick<SessionRow, keyof SessionRow & keyof SessionView>;

export function presentSession(session: ShownSession, counts: SessionCounts): SessionView {
  const settings = v.parse(sessionSettings, session.settings);
  return present(sessionSchema, { ...session, ...counts, settings });
}

/** Sets `playersOnline` of sessions to the cable's counts in Redis; 0 while Redis is not available. */
export async function countPlayersOnline(
  redis: RedisClient,
  views: readonly SessionView[],
): Promise<SessionView[]> {
  if (views.length === 0) return [];
  const keys = views.map(({ id }) => presenceKey(redis, id));
  const counts = await getNumbers(redis, keys).catch(() => []);
  return views.map((view, index) => ({ ...view, playersOnline: counts[index] ?? 0 }));
}

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /**
     * A session as the caller reads it, by its slug or id as the address has it, that was read together with the sign-in; null for
     * another one.
     */
    knownSession?: (slugOrId: string) => Promise<SessionView | null>;
  }
}

/** One session as this viewer sees it; null: a signed-out client. */
export async function showSession(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  slugOrId: string | number,
  viewer: Viewer | null,
): Promise<{ session: SessionView }> {
  const view = await findSessionView(pool.db, slugOrId, viewer?.id ?? null);
  const [session] = view === null ? [] : await countPlayersOnline(redis, [view]);
  if (session === undefined) throw notFound();
  return { session };
}

/** The planned session that starts next, and that everybody may see; null if none is planned. */
export async function findNextStart(
  db: Queryable,
): Promise<{ slug: string; name: string; startsAt: string } | null> {
  const [row] = await findPlanned(db).execute();
  if (row === undefined || row.startsAt === null) return null;
  return { slug: row.slug, name: row.name, startsAt: row.startsAt.toISOString() };
}

const findPlanned = prepareQuery((db) =>
  db
    .select({ slug: sessions.slug, name: sessions.name, startsAt: sessions.startsAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.state, "pending"),
        gt(sessions.startsAt, sql`game_now()`),
        not(hasPrivate(sessions.settings)),
      ),
    )
    .orderBy(asc(sessions.startsAt))
    .limit(1)
    .prepare("find_next_start"),
);

type ListDeps = Pick<Deps, "pool" | "redis">;
type Asked = { filter: SessionsFilter; page: Page; viewerId: number };
export async function listSessions(
  deps: ListDeps,
  { viewer, query, page }: { viewer: Viewer; query: SessionsQuery; page: Page },
  now: Date,
): Promise<SessionsAnswer> {
  const { active, ...rest } = query;
  const filter = { ...rest, active: active === undefined ? undefined : active === "true" };
  const pageFor = (reader: SessionsFilter["reader"]) =>
    findShared(deps, { filter: { ...filter, reader }, page, viewerId: viewer.id });
  const pageOfAll = async () => {
    // Most players see what everybody sees, and share one read. For the few others it was in vain.
    const [shared, differs] = await Promise.all([
      pageFor(isAdmin(viewer) ? "hosts" : "everybody"),
      isAdmin(viewer) ? false : seesOthers(deps.pool.db, viewer.id),
    ]);
    return differs ? pageFor(viewer.id) : shared;
  };
  const found = query.hosted === undefined ? await pageOfAll() : await pageFor(viewer.id);
  return { sessions: found.sessions, meta: listMeta(page, found.totalCount, now) };
}

/** True for a player who has joined a private session, hosts one, or was removed from one. All who ask at the same moment share one read. */
const seesOthers = batchReads(
  () => "players",
  async (db: Queryable, userIds: readonly number[]) => {
    const rows = await findOthers(db).execute({ userIds: writeIntegerArray([...new Set(userIds)]) });
    const found = new Set(rows.map(({ userId }) => userId));
    return (userId) => found.has(userId);
  },
);

const findOthers = prepareQuery((db) =>
  db
    .select({ userId: users.id })
    .from(users)
    .where(
      and(
        anyOfPlaceholder(users.id, "userIds"),
        sql`(EXISTS (SELECT 1 FROM ${removedPlayers} x WHERE x.user_id = ${users.id})
          OR EXISTS (SELECT 1 FROM ${sessionHosts} h WHERE h.user_id = ${users.id}) OR EXISTS (
          SELECT 1 FROM ${registrations} g JOIN ${sessions} z ON z.id = g.session_id
          WHERE g.user_id = ${users.id} AND ${hasPrivate(sql`z.settings`)}))`,
      ),
    )
    .prepare("find_private_players"),
);

/** All viewers who read the same page of a list at the same moment share the read of it. */
const findShared = batchReads(({ filter, page }: Asked) => JSON.stringify([filter, page]), readPage);

/** Sessions that a viewer has not joined are the same objects for all viewers. */
async function readPage(
  { pool, redis }: ListDeps,
  callers: readonly [Asked, ...Asked[]],
): Promise<(asked: Asked) => { sessions: SessionView[]; totalCount: number }> {
  const [{ filter, page }] = callers;
  const viewerIds = [...new Set(callers.map(({ viewerId }) => viewerId))];
  const selection = { ...filter, page: { limit: page.perPage, offset: page.offset } };
  const listed = await findSessionViews(pool.db, selection, viewerIds);
  const [views, totalCount] = await Promise.all([
    countPlayersOnline(
      redis,
      listed.map(({ view }) => view),
    ),
    totalOf(page, listed.length, () => countSessions(pool.db, filter)),
  ]);
  const joined = listed.map(({ joinedIds }) => new Set(joinedIds));
  return ({ viewerId }) => ({
    sessions: views.map((view, index) =>
      joined[index]?.has(viewerId) === true ? { ...view, registered: true } : view,
    ),
    totalCount,
  });
}
