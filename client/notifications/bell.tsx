import { kept } from "../kept.ts";
import { Icon } from "../ui/icon.tsx";
import { useNotifications } from "./notifications-store.ts";
import * as texts from "./notifications-texts.ts";

/** The id of the sheet that the bell opens. */
export const NOTIFICATIONS_ID = "notifications";
const COUNT_SHOWN_MAX = 99;

type Unread = { unreadCount: number };

/** The button that opens the notifications, with the number of unread ones. Works without script. */
export function Bell({ className }: { className: string }) {
  return <BellButton className={className} unreadCount={useNotifications().unreadCount} />;
}

const BellButton = kept(function BellButton({ className, unreadCount }: Unread & { className: string }) {
  return (
    <button
      className={`btn sq bell ${className}`}
      type="button"
      popoverTarget={NOTIFICATIONS_ID}
      aria-label={unreadCount === 0 ? texts.notifications : texts.unreadNotifications(unreadCount)}
    >
      <Icon name="bell" />
      <Count unreadCount={unreadCount} />
    </button>
  );
});

/** The number of unread notifications, in a button's corner. The button's label says it in words. */
export function UnreadCount() {
  return <Count unreadCount={useNotifications().unreadCount} />;
}

function Count({ unreadCount }: Unread) {
  if (unreadCount === 0) return null;
  return (
    <span className="unread num" aria-hidden="true">
      {unreadCount > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : unreadCount}
    </span>
  );
}
