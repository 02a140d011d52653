import { and, sql } from "drizzle-orm";
import { anyOfPlaceholder } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers, sessions } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { hasPrivate } from "#src/play/access-denied.ts";
import {
  countPlayersOnline,
  countSessions,
  findSessionViews,
  type SessionsFilter,
} from "./find-session-views.ts";
import type { SessionsAnswer, SessionsQuery, SessionView } from "./schemas.ts";

type ListDeps = Pick<Deps, "pool" | "redis">;
/** A page of a list, and who reads it. */
type Asked = { filter: SessionsFilter; page: Page; viewerId: number };
type Found = { sessions: SessionView[]; totalCount: number };

/** A page of the sessions, live ones first. */
export async function listSessions(
  deps: ListDeps,
  { viewer, query, page }: { viewer: Viewer; query: SessionsQuery; page: Page },
  now: Date,
): Promise<SessionsAnswer> {
  const { active, ...rest } = query;
  const filter = { ...rest, active: active === undefined ? undefined : active === "true" };
  const pageFor = (reader: SessionsFilter["reader"]) =>
    findPage(deps, { filter: { ...filter, reader }, page, viewerId: viewer.id });
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
const findPage = batchReads(keyOf, readPage);

function keyOf({ filter, page: { perPage, offset } }: Asked): string {
  const { state, active, hosted, blueprintId, order, search, reader } = filter;
  return [state, active, hosted, blueprintId, order, reader, perPage, offset, search].join(" ");
}

/** Sessions that a viewer has not joined are the same objects for all viewers. */
async function readPage(
  { pool, redis }: ListDeps,
  callers: readonly [Asked, ...Asked[]],
): Promise<(asked: Asked) => Found> {
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
