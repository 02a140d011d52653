import type { Deps } from "#src/base/deps.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { listLeaders } from "#src/leaderboard/list-leaders.ts";
import { NOTIFICATIONS_LOADED } from "#src/notifications/contract.ts";
import { listNotifications } from "#src/notifications/list-notifications.ts";
import { type PageData, pageDataOf } from "#src/page-trip/begin-page-read.ts";
import { listEvents } from "#src/sessions/list-events.ts";
import { listSessions } from "#src/sessions/list-sessions.ts";
import { showSession } from "#src/sessions/show-session.ts";
import { findViewer } from "#src/sign-ins/find-sign-in.ts";
import { beginPage } from "#src/ssr/begin-page.ts";
import { sessionStream, userStream } from "#src/streams/broadcast.ts";
import { findStreamOffsets } from "#src/streams/stream-offsets.ts";
import { findWalletView } from "#src/wallet/find-wallet-view.ts";

/** What a browser sends with each request. */
export type Credentials = Record<string, string>;

/** What the server reads for a page before its loaders run. */
export async function readPage(deps: Deps, path: string, credentials: Credentials): Promise<PageData> {
  const request = new Request(`http://localhost:3000${path}`, {
    headers: { accept: "text/html", ...credentials },
  });
  createRequestContext(request, "");
  beginPage(deps, request);
  return pageDataOf(deps, request);
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
