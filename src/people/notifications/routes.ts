import type { Deps } from "#src/base/deps.ts";
import { rekey } from "#src/base/once.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { announce } from "./announce.ts";
import { notificationsEndpoints } from "./endpoints.ts";
import { clearNotifications, listNotifications, markNotificationsRead } from "./find-notifications.ts";

export function notificationsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(notificationsEndpoints, {
    listNotifications: ({ params, query }) => listNotifications(db, params.id, query),
    markNotificationsRead: async ({ params, body }) => {
      await markNotificationsRead(db, { userId: params.id, ...body.notifications });
      deps.notifyRelay();
      return listNotifications(db, params.id);
    },
    announce: ({ viewer, body, keyed }) => {
      const once = rekey(keyed, { purpose: "announcement", request: body.announcement });
      return announce(deps, { ...body.announcement, actor: viewer }, once);
    },
    clearNotifications: async ({ params }) => {
      await clearNotifications(db, params.id);
      deps.notifyRelay();
    },
  });
}
