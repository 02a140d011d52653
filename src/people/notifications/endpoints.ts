import type { Endpoints } from "#src/http/endpoint.ts";
import {
  announcementAnswer,
  announcementBody,
  markReadBody,
  notificationsAnswer,
  notificationsQuery,
} from "./schemas.ts";

/** A user's own notifications; guests have them too. Nobody can read those of another user, not even an admin. */
export const notificationsEndpoints = {
  listNotifications: {
    route: "GET /api/v1/users/:id/notifications",
    summary: "Lists the user's newest notifications, and counts the unread",
    who: "self",
    token: "none",
    query: notificationsQuery.entries,
    answer: notificationsAnswer,
  },
  markNotificationsRead: {
    route: "PUT /api/v1/users/:id/notifications/read",
    summary: "Marks the user's notifications as read, up to the last that was seen",
    who: "self",
    body: { notifications: markReadBody },
    answer: notificationsAnswer,
  },
  announce: {
    route: "POST /api/v1/announcements",
    summary: "Sends a notification to all users",
    who: "admin",
    body: { announcement: announcementBody },
    answer: announcementAnswer,
    creates: true,
    refusals: { idempotency_key_reused: "The key belongs to another announcement." },
  },
  clearNotifications: {
    route: "DELETE /api/v1/users/:id/notifications",
    summary: "Deletes all of the user's notifications",
    who: "self",
  },
} as const satisfies Endpoints;
