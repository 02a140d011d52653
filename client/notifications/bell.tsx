import { Icon } from "../ui/icon.tsx";
import { useNotifications } from "./known-notifications.ts";

/** Id of the sheet that the bells open. */
export const NOTIFICATIONS_ID = "notifications";
const COUNT_SHOWN_MAX = 99;

/** The button to the notifications, with how many are new. It works without script. */
export function Bell({ className }: { className: string }) {
  const { unreadCount } = useNotifications();
  return (
    <button
      className={`btn sq bell ${className}`}
      type="button"
      popoverTarget={NOTIFICATIONS_ID}
      aria-label={unreadCount === 0 ? "Notifications" : `Notifications, ${unreadCount} new`}
    >
      <Icon name="bell" />
      <UnreadCount />
    </button>
  );
}

/** How many are new, at the corner of a button that says it in words as well. */
export function UnreadCount() {
  const { unreadCount } = useNotifications();
  if (unreadCount === 0) return null;
  return (
    <span className="unread num" aria-hidden="true">
      {unreadCount > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : unreadCount}
    </span>
  );
}
