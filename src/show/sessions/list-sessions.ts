import type { Deps } from "#src/base/deps.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { listMeta, type Page, totalOf } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { countPlayersOnline } from "./count-players-online.ts";
import { countSessions, findSessionViews, type SessionsFilter } from "./find-session-views.ts";
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
  const { sessions, totalCount } = await findPage(deps, { filter, page, viewerId: viewer.id });
  return { sessions, meta: listMeta(page, totalCount, now) };
}

/** All viewers who read the same page of a list at the same moment share the read of it. */
const findPage = shareReads(keyOf, readPage);

function keyOf({ filter, page: { perPage, offset } }: Asked): string {
  const { state, active, blueprintId, order, search } = filter;
  return [state, active, blueprintId, order, perPage, offset, search].join(" ");
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
