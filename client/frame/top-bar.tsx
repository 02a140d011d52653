import { Link, useLocation } from "react-router";
import { type Sync, useSync } from "../connection.ts";
import { useViewer } from "../context.ts";
import { currentIn, mainNavigation, type NavItem } from "../navigation.ts";
import { Bell, UnreadCount } from "../notifications/bell.tsx";
import { NotificationsSheet } from "../notifications/notifications-sheet.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Brand } from "../ui/mark.tsx";
import { useViewerAvatar } from "../users/viewer-avatar.ts";
import { BalanceChip } from "../wallet/balance-chip.tsx";
import { Menu, MENU_ID } from "./menu.tsx";

/** The top bar of every page. */
export function TopBar({ heading, inSession }: { heading: string; inSession: boolean }) {
  const viewer = useViewer();
  const avatar = useViewerAvatar();
  return (
    <header className="topbar">
      <Link className="brand" to="/sessions" aria-label="Called It, sessions">
        <Brand />
      </Link>
      <span className="topbar-title">{heading}</span>
      {viewer === null ? (
        <Link className="btn primary sm" to="/users/sign_in">
          Sign in
        </Link>
      ) : (
        <>
          <MainNav items={mainNavigation(viewer)} />
          {inSession ? <SyncBadge /> : null}
          <BalanceChip />
          <Bell className="bare only-desktop" />
          <button className="btn bare sq menu-button" type="button" popoverTarget={MENU_ID}>
            <span className="vh">Menu</span>
            <span className="only-mobile">
              <Icon name="menu" />
              <UnreadCount />
            </span>
            <span className="only-desktop">
              <Avatar name={viewer.username} avatar={avatar} />
            </span>
          </button>
          <Menu viewer={viewer} />
          <NotificationsSheet />
        </>
      )}
    </header>
  );
}

function MainNav({ items }: { items: readonly NavItem[] }) {
  const { pathname } = useLocation();
  if (items.length === 0) return null;
  return (
    <nav aria-label="Main">
      {items.map(({ label, path }) => (
        <Link key={path} to={path} aria-current={currentIn(pathname, path)}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

const syncLabels: Record<Sync, { icon: IconName; text: string; className: string }> = {
  live: { icon: "true", text: "In sync", className: "sync" },
  poor: { icon: "warning", text: "Slow link", className: "sync poor" },
  offline: { icon: "offline", text: "Offline", className: "sync off" },
  refused: { icon: "offline", text: "Not live", className: "sync off" },
};

/** The state of the connection, in words. */
function SyncBadge() {
  const { icon, text, className } = syncLabels[useSync()];
  return (
    <span className={className} role="status">
      <Icon name={icon} />
      <span className="t">{text}</span>
    </span>
  );
}
