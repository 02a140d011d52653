import { rekey } from "#src/base/once.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { announce } from "./announce.ts";
import { clearNotifications, listNotifications, markNotificationsRead } from "./find-notifications.ts";
import {
  announcementAnswer,
  announcementBody,
  markReadBody,
  notificationsAnswer,
  notificationsQuery,
} from "./schemas.ts";

/** A user's own notifications; guests have them too. Nobody can read those of another user, not even an admin. */
export const notificationsEndpoints = {
  listNotifications: endpoint({
    route: "GET /api/v1/users/:id/notifications",
    summary: "Lists the user's newest notifications, and counts the unread",
    who: "self",
    token: "none",
    query: notificationsQuery.entries,
    answer: notificationsAnswer,
    handle: (deps, { params, query }) => listNotifications(deps.pool.db, params.id, query),
  }),
  markNotificationsRead: endpoint({
    route: "PUT /api/v1/users/:id/notifications/read",
    summary: "Marks the user's notifications as read, up to the last that was seen",
    who: "self",
    body: { notifications: markReadBody },
    answer: notificationsAnswer,
    handle: async (deps, { params, body }) => {
      await markNotificationsRead(deps.pool.db, { userId: params.id, ...body.notifications });
      deps.notifyRelay();
      return listNotifications(deps.pool.db, params.id);
    },
  }),
  announce: endpoint({
    route: "POST /api/v1/announcements",
    summary: "Sends a notification to all users",
    who: "admin",
    body: { announcement: announcementBody },
    answer: announcementAnswer,
    creates: true,
    refusals: { idempotency_key_reused: "The key belongs to another announcement." },
    handle: (deps, { viewer, body, keyed }) => {
      const once = rekey(keyed, { purpose: "announcement", request: body.announcement });
      return announce(deps, { ...body.announcement, actor: viewer }, once);
    },
  }),
  clearNotifications: endpoint({
    route: "DELETE /api/v1/users/:id/notifications",
    summary: "Deletes all of the user's notifications",
    who: "self",
    handle: async (deps, { params }) => {
      await clearNotifications(deps.pool.db, params.id);
      deps.notifyRelay();
    },
  }),
};
