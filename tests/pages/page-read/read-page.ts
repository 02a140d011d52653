import type { Deps } from "#src/base/deps.ts";
import { sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { type PageData, pageDataOf, prefetchPageData } from "#src/pages/page-read/prefetch-page-data.ts";
import { matchPage } from "#src/pages/ssr/run-page.ts";
import { NOTIFICATIONS_LOADED } from "#src/people/notifications/contract.ts";
import { listNotifications } from "#src/people/notifications/find-notifications.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { listLeaders } from "#src/play/leaderboard/find-scores.ts";
import { showSession, listSessions } from "#src/show/sessions/find-session-views.ts";
import { listEvents } from "#src/show/sessions/list-events.ts";

/** What a browser sends with each request. */
export type Credentials = Record<string, string>;

/** What the server reads for a page before its loaders run. */
export async function readPage(deps: Deps, path: string, credentials: Credentials): Promise<PageData> {
  const request = new Request(`http://localhost:3000${path}`, {
    headers: { accept: "text/html", ...credentials },
  });
  const context = createRequestContext(request, "");
  const { screen, params } = matchPage(context.path);
  return pageDataOf(deps, request, prefetchPageData(deps, context, { reads: screen?.reads ?? {}, params }));
}

const firstPage = { page: 1, perPage: 100, offset: 0 };

/** The same for a player's Action page, as the endpoints of its data answer one by one. */
export async function readByEndpoints(deps: Deps, userId: number, slug: string): Promise<PageData> {
  const { db } = deps.pool;
  const now = new Date();
  const viewer = await findViewer(db, userId);
  const limit = NOTIFICATIONS_LOADED;
  const { session } = await showSession(deps, slug, viewer);
  const [user = null, ofSession] = await findStreamOffsets(deps.redis, [
    userStream(userId),
    sessionStream(session.id),
  ]).catch(() => []);
  const { events, meta } = await listEvents(db, { slugOrId: slug, viewer, page: firstPage }, now);
  const listed = await listSessions(deps, { viewer, query: { active: "true" }, page: firstPage }, now);
  const active = listed.sessions.map(({ id, slug, name }) => ({ id, slug, name }))[0] ?? null;
  return {
    offsets: { user, session: ofSession === undefined ? null : { ...ofSession, id: session.id } },
    active,
    off: [],
    frame: {
      wallet: await findWalletView(db, userId),
      notifications: await listNotifications(db, userId, { limit }),
    },
    session,
    action: {
      events,
      leaders: await listLeaders(deps, viewer, { sessionId: slug, limit: 10 }),
      active: active === null ? null : { slug: active.slug, name: active.name },
      serverTime: meta.serverTime,
    },
  };
}
