import type { Endpoints } from "#src/http/endpoint.ts";
import {
  announcementAnswer,
  announcementBody,
  markReadBody,
  notificationsAnswer,
  notificationsQuery,
} from "./schemas.ts";

/** One's own notifications, which guests have too; nobody reads what another was told, admins neither. */
export const notificationsEndpoints = {
  listNotifications: {
    method: "GET",
    path: "/api/v1/users/:id/notifications",
    summary: "Lists one's own newest notifications, and counts the unread",
    who: "self",
    query: notificationsQuery.entries,
    answer: notificationsAnswer,
  },
  markNotificationsRead: {
    method: "PUT",
    path: "/api/v1/users/:id/notifications/read",
    summary: "Marks one's own notifications as read, up to the last that was seen",
    who: "self",
    body: { notifications: markReadBody },
    answer: notificationsAnswer,
  },
  announce: {
    method: "POST",
    path: "/api/v1/announcements",
    summary: "Tells everybody something",
    who: "admin",
    body: { announcement: announcementBody },
    answer: announcementAnswer,
    status: 201,
    idempotent: true,
    refusals: { idempotency_key_reused: "The key belongs to another announcement." },
  },
  clearNotifications: {
    method: "DELETE",
    path: "/api/v1/users/:id/notifications",
    summary: "Clears one's own notifications",
    who: "self",
  },
} as const satisfies Endpoints;
