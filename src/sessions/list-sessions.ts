import type { Deps } from "#src/base/deps.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { countPlayersOnline } from "./count-players-online.ts";
import { countSessions, findSessionViews } from "./find-session-views.ts";
import type { SessionsAnswer, SessionsQuery } from "./schemas.ts";

/** A page of the sessions, live ones first. */
export async function listSessions(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  { viewer, query, page }: { viewer: Viewer; query: SessionsQuery; page: Page },
  now: Date,
): Promise<SessionsAnswer> {
  const { state, active, blueprintId } = query;
  const filter = { state, blueprintId, active: active === undefined ? undefined : active === "true" };
  const [views, totalCount] = await Promise.all([
    findSessionViews(pool.db, {
      ...filter,
      viewerId: viewer.id,
      page: { limit: page.perPage, offset: page.offset },
    }),
    countSessions(pool.db, filter),
  ]);
  return { sessions: await countPlayersOnline(redis, views), meta: listMeta(page, totalCount, now) };
}
