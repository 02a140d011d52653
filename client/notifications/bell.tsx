import * as words from "#client/base/format/words.ts";
import { Icon } from "../ui/icon.tsx";
import { useNotifications } from "./notifications-store.ts";

export const NOTIFICATIONS_ID = "notifications";
const COUNT_SHOWN_MAX = 99;

/** The button that opens the notifications, with the number of unread ones. Works without JavaScript. */
export function Bell({ className }: { className: string }) {
  const { unreadCount } = useNotifications();
  return (
    <button
      className={`btn sq bell ${className}`}
      type="button"
      popoverTarget={NOTIFICATIONS_ID}
      aria-label={unreadCount === 0 ? words.notifications : `Notifications, ${unreadCount} new`}
    >
      <Icon name="bell" />
      <Count unreadCount={unreadCount} />
    </button>
  );
}

/** The number of unread notifications, in a button's corner. The button's label says it in words. */
export function UnreadCount() {
  return <Count unreadCount={useNotifications().unreadCount} />;
}

function Count({ unreadCount }: { unreadCount: number }) {
  if (unreadCount === 0) return null;
  return (
    <span className="unread num" aria-hidden="true">
      {unreadCount > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : unreadCount}
    </span>
  );
}
