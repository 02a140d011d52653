import type { Deps } from "#src/deps.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import type { Viewer } from "#src/users/viewer.ts";
import { type SessionsAnswer, sessionsQuery } from "./contract.ts";
import { countPlayersOnline } from "./count-players-online.ts";
import { countSessions, findSessionViews } from "./find-session-views.ts";

/**
 * A page of the sessions, those that are live first.
 * @param query `?state=running&active=true&blueprint_id=3&page=2&per_page=50`
 * @throws Refusal 422 for a filter or a page that is none.
 */
export async function listSessions(
  { pool, redis }: Pick<Deps, "pool" | "redis">,
  viewer: Viewer,
  query: Record<string, unknown>,
  now: Date,
): Promise<SessionsAnswer> {
  const { state, active, blueprintId } = readQuery(query, sessionsQuery);
  const filter = { state, blueprintId, active: active === undefined ? undefined : active === "true" };
  const page = readPage(query);
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
