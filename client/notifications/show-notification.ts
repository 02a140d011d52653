import type { NotificationKind } from "#db/lists/notifications.ts";
import { entriesOf } from "#src/base/contract.ts";
import { say } from "#src/http/contract.ts";
import type { NotificationView } from "#src/people/notifications/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.tsx";
import { addNotification } from "./notifications-store.ts";

/** The icon of each kind. A kind without an icon does not compile. */
export const notificationIcon = entriesOf<NotificationKind, IconName>(
  {
    result: "trophy",
    refund: "back",
    correction: "warning",
    session_live: "bolt",
    payment: "wallet",
    announcement: "info",
    security: "warning",
    reminder: "clock",
    spending: "wallet",
  },
  "info",
);

/** Adds a notification from the cable to the list and shows it as a toast. One that arrives twice is shown once. */
export function receiveNotification(received: { notification: NotificationView; unreadCount: number }): void {
  const { kind, title, body, url } = received.notification;
  if (!addNotification(received) || isOnScreen(kind, url)) return;
  showToast({ icon: notificationIcon(kind), text: toastText(title, body) });
}

/** "Refunded: Will it rain? $5.00 is back in your wallet." */
function toastText(title: string, body: string): string {
  if (body === "") return title;
  return /[.?!]$/.test(title) ? say`${title} ${body}` : say`${title}. ${body}`;
}

/** The session's screen announces its start, and the refunds and corrections of its actions, itself. */
function isOnScreen(kind: NotificationKind, url: string | null): boolean {
  const { pathname } = globalThis.location;
  if (kind === "session_live") return url === pathname;
  return kind === "result" || (isOfResult(kind) && (url ?? "").startsWith(`${pathname}/history/`));
}

function isOfResult(kind: NotificationKind): boolean {
  return kind === "refund" || kind === "correction";
}
