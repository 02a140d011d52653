import { Suspense } from "react";
import { Link, useLocation } from "react-router";
import { type Sync, useSync } from "../connection.ts";
import { useViewer } from "../context.ts";
import { kept } from "../kept.ts";
import { currentIn, mainNavigation } from "../navigation.ts";
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
  const { pathname } = useLocation();
  const avatar = useViewerAvatar();
  return (
    <header className="topbar">
      <HomeLink />
      <span className="topbar-title">{heading}</span>
      {viewer === null ? (
        <Link className="btn primary sm" to="/users/sign_in">
          Sign in
        </Link>
      ) : (
        <>
          <MainNav roles={viewer.roles.join(" ")} pathname={pathname} />
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
          {/* Closed at first, so they are hydrated in a task of their own. */}
          <Suspense>
            <Menu viewer={viewer} />
            <NotificationsSheet />
          </Suspense>
        </>
      )}
    </header>
  );
}

const MainNav = kept(function MainNav({ roles, pathname }: { roles: string; pathname: string }) {
  const items = mainNavigation(roles);
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
});

const HomeLink = kept(function HomeLink() {
  return (
    <Link className="brand" to="/sessions" aria-label="Called It, sessions">
      <Brand />
    </Link>
  );
});

const syncLabels: Record<Sync, { icon: IconName; text: string; className: string }> = {
  live: { icon: "true", text: "In sync", className: "sync" },
  poor: { icon: "warning", text: "Slow link", className: "sync poor" },
  offline: { icon: "offline", text: "Offline", className: "sync off" },
  refused: { icon: "offline", text: "Not live", className: "sync off" },
};

/** The state of the connection, in words. */
function SyncBadge() {
  return <SyncState sync={useSync()} />;
}

const SyncState = kept(function SyncState({ sync }: { sync: Sync }) {
  const { icon, text, className } = syncLabels[sync];
  return (
    <span className={className} role="status">
      <Icon name={icon} />
      <span className="t">{text}</span>
    </span>
  );
});
