import type { NotificationKind } from "#src/notifications/contract.ts";
import type { NotificationView } from "#src/notifications/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.tsx";
import { hearNotification } from "./known-notifications.ts";

/** How each kind is drawn. */
export const notificationIcons: Record<NotificationKind, IconName> = {
  result: "trophy",
  refund: "back",
  correction: "warning",
  session_live: "bolt",
  payment: "wallet",
  announcement: "info",
};

/** A new notification joins the list, and is said at once; twice told, it is said once. */
export function hearAndSay(told: { notification: NotificationView; unreadCount: number }): void {
  const { kind, title, body, url } = told.notification;
  if (!hearNotification(told) || isSeenAnyway(kind, url)) return;
  showToast({ icon: notificationIcons[kind], text: sentences(title, body) });
}

/** "Refunded: Will it rain? $5.00 is back in your wallet." */
function sentences(title: string, body: string): string {
  if (body === "") return title;
  return /[.?!]$/.test(title) ? `${title} ${body}` : `${title}. ${body}`;
}

/** How a session went stands on its screen, and so does that it begins. */
function isSeenAnyway(kind: NotificationKind, url: string | null): boolean {
  return kind === "result" || (kind === "session_live" && url === globalThis.location.pathname);
}
